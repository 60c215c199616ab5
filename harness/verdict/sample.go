package verdict

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"pushdown/harness/golden"
)

// Draws is the number of bootstrap draws behind a verdict.
const Draws = 10_000

// MinSeeds is the number of seeds below which nothing is decided: a spread of
// two values has one degree of freedom and an interval 18 spreads wide. Units
// that never vary (assume=exact) need one.
const MinSeeds = 3

// Deviation returns the sample standard deviation of x, 0 for one value.
func Deviation(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	m, sum := golden.Mean(x), 0.0
	for _, v := range x {
		d := v - m
		sum += float64(d * d)
	}
	return math.Sqrt(sum / float64(len(x)-1))
}

// best returns the highest or the lowest of x.
func best(x []float64, higher bool) float64 {
	if higher {
		return slices.Max(x)
	}
	return slices.Min(x)
}

// bestOf returns the function that takes the best of a sample.
func bestOf(higher bool) func(sample) float64 {
	return func(s sample) float64 { return best(s.values, higher) }
}

// predict returns the interval that holds the mean of k further runs with a
// probability of 95 per cent if the runs x are normal: mean ± t s sqrt(1/k + 1/n)
// with Student's t of n-1 degrees of freedom. One run is the case k = 1.
func predict(x []float64, k int) (low, high float64) {
	m, s := golden.Mean(x), Deviation(x)
	if s == 0 {
		return m, m
	}
	n := float64(len(x))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
	reach := t * s * math.Sqrt(1/float64(k)+1/n)
	return m - reach, m + reach
}

// A sample is what some seeds have in one unit.
type sample struct {
	values []float64
	losses []float64 // of the same seeds, where one of them is chosen by its loss; else nil
}

// sampleOf returns the values of a group of f in one unit with what chooses among
// them: the losses in the unit by, none if by is empty. A seed without a loss is
// left out, since it cannot be chosen.
func sampleOf(f *golden.File, group golden.Name, unit, by string) sample {
	var s sample
	for _, r := range f.Seeds(group) {
		v, ok := r.Value(unit)
		if !ok {
			continue
		}
		if by != "" {
			loss, ok := r.Value(by)
			if !ok {
				continue
			}
			s.losses = append(s.losses, loss)
		}
		s.values = append(s.values, v)
	}
	return s
}

// ofSize returns a sample like s, of n seeds to be drawn from it.
func (s sample) ofSize(n int) sample {
	to := sample{values: make([]float64, n)}
	if s.losses != nil {
		to.losses = make([]float64, n)
	}
	return to
}

// draw fills to with the seeds of draw d.
func (s sample) draw(to sample, r resampler, d int) {
	for i := range to.values {
		at := r.pick(d, i, len(s.values))
		to.values[i] = s.values[at]
		if s.losses != nil {
			to.losses[i] = s.losses[at]
		}
	}
}

// chosen returns the value of the seed with the least loss, the first of equal ones.
func (s sample) chosen() float64 {
	at := 0
	for i, loss := range s.losses {
		if loss < s.losses[at] {
			at = i
		}
	}
	return s.values[at]
}

// predictOf returns the interval that holds what k runs are condensed to, such as
// the best of them, in 95 of 100 bootstrap draws of k runs from s.
func predictOf(s sample, k int, condense func(sample) float64, r resampler) (low, high float64) {
	all, draw := make([]float64, Draws), s.ofSize(k)
	for d := range all {
		s.draw(draw, r, d)
		all[d] = condense(draw)
	}
	slices.Sort(all)
	const cut = Draws * 25 / 1000
	return all[cut], all[Draws-1-cut]
}
