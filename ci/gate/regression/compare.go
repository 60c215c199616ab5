package regression

import (
	"slices"

	"pushdown/ci/gate/trial"
	"pushdown/harness/numeric"
)

// A comparison is one measurement of a benchmark on both sides.
type comparison struct {
	of         *benchmark
	unit       string
	better     int // the better direction: +1 for more, -1 for less
	base, head []float64
	trial      *trial.Trial // nil if judged exactly, without statistics
}

// compare lists the comparisons of a benchmark. Some units are shown in the report but not
// judged; their names are appended to the list *left.
func (r *reading) compare(b *benchmark, left *[]string) []*comparison {
	units := slices.Clone(b.side[0].units)
	if i := slices.Index(units, perOp); i >= 0 {
		units = append(slices.Delete(units, i, i+1), perOp)
	}
	var list []*comparison
	for _, unit := range units {
		kind, better := kindOf(r.units, unit)
		if kind == ignored {
			if !slices.Contains(*left, unit) {
				*left = append(*left, unit)
			}
			continue
		}
		if better == 0 {
			r.fault(Unusable, "unit %s: no better direction, want a line such as %q in %s", unit, "Unit "+unit+" better=higher", r.texts[0].Name)
			continue
		}
		c := &comparison{of: b, unit: unit, better: better, base: b.side[0].values[unit], head: b.side[1].values[unit]}
		if kind == timed {
			var err error
			if c.trial, err = trial.New(speeds(c.base, better), speeds(c.head, better)); err != nil {
				r.fault(Unusable, "%s: %s: %v", b.title(), unit, err)
				continue
			}
			if slices.ContainsFunc(list, c.repeats) {
				continue
			}
		}
		list = append(list, c)
	}
	return list
}

// speeds converts values to speeds, so that higher is always better. Values of a unit where
// higher is better stay as they are. Other values, such as times, are replaced by their
// inverses.
func speeds(values []float64, better int) []float64 {
	if better > 0 {
		return values
	}
	list := make([]float64, len(values))
	for i, v := range values {
		list[i] = 1 / v
	}
	return list
}

// rounding bounds the effect of rounding. Package testing prints only four digits. So if two
// units report the same measurement, the ratio of their speeds is not quite constant: its
// logarithm varies by up to this bound.
const rounding = 2e-3

// repeats reports whether c and other are the same measurement in two units: the ratio of
// their speeds is constant except for rounding. The speed of a time is its inverse.
func (c *comparison) repeats(other *comparison) bool {
	if c.trial == nil || other.trial == nil || len(c.base) < 2 {
		return false
	}
	var ratios []float64
	for _, p := range [][2][]float64{{c.base, other.base}, {c.head, other.head}} {
		a, b := speeds(p[0], c.better), speeds(p[1], other.better)
		for i := range a {
			ratios = append(ratios, numeric.Log64(a[i])-numeric.Log64(b[i]))
		}
	}
	return slices.Max(ratios)-slices.Min(ratios) <= rounding
}

// row returns the row of a comparison that is not judged yet.
func (c *comparison) row() Row {
	return Row{Pkg: c.of.pkg, Name: c.of.name, Unit: c.unit, Base: middle(c.base), Head: middle(c.head), Have: len(c.base)}
}

// exact judges a measurement that is a loss if it gets worse at all.
func (c *comparison) exact() Row {
	row := c.row()
	row.Exact, row.Need = true, 1
	if row.Base != 0 {
		row.Change = row.Head/row.Base - 1
	}
	switch rise := float64(c.better) * (row.Head - row.Base); {
	case rise < 0:
		row.Outcome = Lost
	case rise > 0:
		row.Outcome = Gained
	}
	return row
}

// middle returns the median of x. For an even number of values it returns the greater
// of the two in the middle.
func middle(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	return x[len(x)/2]
}
