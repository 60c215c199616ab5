package regression

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"pushdown/ci/gate/trial"
)

const (
	// newest is the number of commits, head included, that are compared with those before.
	newest = 8
	// window is the number of commits of a history that count, head included.
	window = 30
)

// share is the unit of a speed that is divided by a bound measured in the same process.
const share = "peak-%"

// A series holds the speed of a benchmark in each commit of a history that has it.
type series struct {
	pkg, name, unit string
	better          int
	values          []float64 // medians, oldest first; the last is that of head
}

// JudgeHistory judges head against the texts of earlier commits, oldest first, and adds the
// outcome to the report. All texts must be of one machine.
func (rep *Report) JudgeHistory(earlier []Text, head Text) {
	if len(earlier) == 0 {
		rep.Notes = append(rep.Notes, "history: no commit of this machine yet, nothing is judged by it")
		return
	}
	r := read(append(slices.Clone(earlier), head)...)
	r.compareAllEnvironments()
	list := r.series()
	for _, f := range r.faults {
		if !slices.Contains(rep.Faults, f) {
			rep.Faults = append(rep.Faults, f)
		}
	}
	rep.judgeSeries(list)
	commits := Plural(len(earlier), "earlier commit") + " of this machine"
	if len(rep.Drift) == 0 {
		rep.Notes = append(rep.Notes, fmt.Sprintf("history: %s, want at least %d to judge %s by them", commits, rep.leastHistory(len(list))-1, Plural(len(list), "benchmark")))
	} else {
		rep.Notes = append(rep.Notes, fmt.Sprintf("history: %d of %s judged by %s: %d lost, %d lost less than %g%%; median change %+.2f%%",
			len(rep.Drift), Plural(len(list), "benchmark"), commits, rep.drifted(Lost), rep.drifted(BelowMinLoss), 100*rep.Options.Loss, 100*rep.medianDrift()))
	}
	rep.Status = rep.worst()
}

// Check returns an error if JudgeHistory would refuse the text.
func Check(t Text) error {
	r := read(t)
	r.series()
	var errs []error
	for _, f := range r.faults {
		errs = append(errs, errors.New(f.Text))
	}
	return errors.Join(errs...)
}

// series lists the benchmarks of the last text with their speeds in all texts.
func (r *reading) series() (list []series) {
	last := len(r.texts) - 1
	for _, b := range r.benchmarks {
		s := series{pkg: b.pkg, name: b.name}
		if s.unit, s.better = r.unitOf(b.side[last].units); s.unit == "" {
			continue
		}
		for i := range b.side {
			v := b.side[i].values[s.unit]
			if len(v) == 0 {
				continue
			}
			if m := middle(v); m > 0 && !math.IsInf(m, 0) {
				s.values = append(s.values, m)
			} else {
				r.fault(Unusable, "%s: %s: %s: have a median of %v, want a number above 0", r.texts[i].Name, b.title(), s.unit, m)
			}
		}
		list = append(list, s)
	}
	return list
}

// unitOf returns the unit by which a history judges a benchmark, and its better direction:
// peak-%, or else the first rate or time, or else the time of an iteration. The unit is empty
// if there is none.
func (r *reading) unitOf(units []string) (unit string, better int) {
	if better := r.units.GetBetter(share); slices.Contains(units, share) && better != 0 {
		return share, better
	}
	for _, u := range units {
		if k, b := kindOf(r.units, u); k == timed && b != 0 && (unit == "" || unit == perOp) {
			unit, better = u, b
		}
	}
	return unit, better
}

// leastHistory returns the number of commits with which a loss can be significant if a
// history has the given number of series: chance alone must put the newest commits last with
// at most the accepted probability.
func (rep *Report) leastHistory(series int) int {
	n, orders := newest+1, float64(newest+1) // the number of sets of newest commits among n
	for 1/orders > rep.Options.Alarm/float64(series) {
		n++
		orders = orders * float64(n) / float64(n-newest)
	}
	return n
}

// judgeSeries appends a row to rep.Drift for each series that is long enough.
func (rep *Report) judgeSeries(list []series) {
	least := rep.leastHistory(len(list))
	var chance []float64
	for _, s := range list {
		v := s.values[max(0, len(s.values)-window):]
		if len(v) < least {
			continue
		}
		before, now := v[:len(v)-newest], v[len(v)-newest:]
		row := Row{Pkg: s.pkg, Name: s.name, Unit: s.unit, Base: middle(before), Head: middle(now), Have: len(v), Need: least}
		p := 1.0
		if row.Change = row.Head/row.Base - 1; s.better < 0 {
			row.Change = row.Base/row.Head - 1
		}
		if row.Change < 0 {
			// Compare doubles the probability, because it looks for losses and gains.
			p = benchmath.AssumeNothing.Compare(sample(before), sample(now)).P / 2
		}
		rep.Drift, chance = append(rep.Drift, row), append(chance, p)
	}
	for len(chance) < len(list) {
		chance = append(chance, 1) // too short to be judged
	}
	chance = trial.Holm(chance)
	for i := range rep.Drift {
		row := &rep.Drift[i]
		switch row.Chance = chance[i]; {
		case row.Chance > rep.Options.Alarm:
		case row.Change <= -rep.Options.Loss:
			row.Outcome = Lost
		default:
			row.Outcome = BelowMinLoss
		}
	}
}

// sample returns values as a sample of package benchmath.
func sample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
}

// medianDrift returns the median of the changes in rep.Drift. If all benchmarks have become
// slower, it may be the machine.
func (rep *Report) medianDrift() float64 {
	var changes []float64
	for _, row := range rep.Drift {
		changes = append(changes, row.Change)
	}
	return middle(changes)
}

// drifted returns the number of rows of the history with outcome o.
func (rep *Report) drifted(o Outcome) (n int) {
	for _, row := range rep.Drift {
		if row.Outcome == o {
			n++
		}
	}
	return n
}
