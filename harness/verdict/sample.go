package verdict

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// Draws is the number of bootstrap draws behind a verdict.
const Draws = 10_000

// MinSeeds is the smallest number of seeds for a decision. Two would decide nothing: the
// standard deviation has one degree of freedom, and the interval for a single run is as
// wide as 31 standard deviations. Units that never vary (assume=exact) need only one seed.
const MinSeeds = 3

// Deviation returns the sample standard deviation of x. It is 0 for fewer than two
// values.
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

// leastDeviation returns the least standard deviation with which n normal runs have one of s or more in at least 1 of 20 experiments.
func leastDeviation(s float64, n int) float64 {
	df := float64(n - 1)
	return s * math.Sqrt(df/distuv.ChiSquared{K: df}.Quantile(0.95))
}

// best returns the highest or the lowest of x.
func best(x []float64, higher bool) float64 {
	if higher {
		return slices.Max(x)
	}
	return slices.Min(x)
}

// selects reports whether the paper prints the number of one of several runs: the best or a
// chosen one.
func selects(q *papers.Quantity) bool { return q.Best || q.ChosenBy != "" }

// figureOf returns the function that computes from runs what the paper prints: the value of
// the chosen run, the best value, or the mean.
func figureOf(q *papers.Quantity) func(sample) float64 {
	switch {
	case q.ChosenBy != "":
		return sample.chosen
	case q.Best:
		return func(s sample) float64 { return best(s.values, q.Higher) }
	}
	return mean
}

// valueOf returns the figure of s that is compared with a quantity. A best of k is the median of the bests of k runs drawn from s with
// replacement, because the best of all would be better; of fewer than k runs it is the best.
func valueOf(s sample, q *papers.Quantity) float64 {
	if !q.Best || q.ChosenBy != "" || len(s.values) < q.Trials {
		return figureOf(q)(s)
	}
	list := slices.Sorted(slices.Values(s.values))
	if !q.Higher {
		slices.Reverse(list)
	}
	for i, v := range list {
		below := 1.0 // the probability that no run drawn is better than v
		for range q.Trials {
			below *= float64(i+1) / float64(len(list))
		}
		if below >= 0.5 {
			return v
		}
	}
	return list[len(list)-1]
}

// mean returns the mean of the values of s.
func mean(s sample) float64 { return golden.Mean(s.values) }

// predict returns a 95 per cent prediction interval for the mean of k further runs, under
// the assumption that runs are normally distributed. It is mean ± t s sqrt(1/k + 1/n), with
// Student's t of n-1 degrees of freedom, where n is the number of runs in x. For a single
// run, k is 1.
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

// wider says by how much means of draws of n runs are moved away from the mean of these runs: by sqrt(n/(n-1)) t/z, with which
// they spread as Student's t says. Without it, claims about equal networks with three runs each would often hold or fail.
// t and z are two-sided quantiles of Student's t and of the normal distribution, at the level of one of so many comparisons: 97.5 per
// cent if there is one. The further out they are, the larger is their ratio. A claim is about one side, so the factor is too large
// rather than too small. It is rounded to six digits, so that it is the same on each processor.
func wider(n, comparisons int) float64 {
	if n < 2 {
		return 1
	}
	p := 1 - 0.025/float64(comparisons)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile(p)
	return golden.Round6(math.Sqrt(float64(n)/float64(n-1)) * t / distuv.UnitNormal.Quantile(p))
}

// A sample holds the values of some seeds of a group in one unit.
type sample struct {
	values []float64
	losses []float64 // losses of the same seeds, if one of the seeds is chosen by its loss; otherwise nil
}

// sampleOf returns the values of a group of f in one unit. The parameter by is empty unless a
// seed of the group is chosen by its loss; then it is the unit of the loss. In that case
// sampleOf also returns the losses, and omits seeds without a loss, because they cannot be
// chosen.
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

// ofSize returns a new sample with room for n seeds drawn from s.
func (s sample) ofSize(n int) sample {
	to := sample{values: make([]float64, n)}
	if s.losses != nil {
		to.losses = make([]float64, n)
	}
	return to
}

// draw makes one draw with replacement: it fills the sample in the parameter to, which may
// have any size, with seeds of s. The resampler and the number d of the draw determine the
// seeds.
func (s sample) draw(to sample, r resampler, d int) {
	for i := range to.values {
		at := r.pick(d, i, len(s.values))
		to.values[i] = s.values[at]
		if s.losses != nil {
			to.losses[i] = s.losses[at]
		}
	}
}

// chosen returns the value of the seed with the smallest loss. If several have the
// smallest loss, it returns the value of the first.
func (s sample) chosen() float64 {
	at := 0
	for i, loss := range s.losses {
		if loss < s.losses[at] {
			at = i
		}
	}
	return s.values[at]
}

// predictOf returns a 95 per cent interval for a number computed from k runs, such as the
// best of k. The function figure computes the number. predictOf draws k runs from s many
// times and leaves out the lowest and the highest 2.5 per cent of the results.
func predictOf(s sample, k int, figure func(sample) float64, r resampler) (low, high float64) {
	all, draw := make([]float64, Draws), s.ofSize(k)
	for d := range all {
		s.draw(draw, r, d)
		all[d] = figure(draw)
	}
	slices.Sort(all)
	const cut = Draws * 25 / 1000
	return all[cut], all[Draws-1-cut]
}

// predictMean returns a 95 per cent interval for the mean of k further runs, as predict does, but without
// the assumption that runs are normally distributed. Each of many draws takes as many runs as s has, with
// replacement, and then k of these. The first step stands for the error of our own runs, the
// second for that of the further ones.
func predictMean(s sample, k int, r resampler) (low, high float64) {
	ours := s.ofSize(len(s.values))
	again := resampler{splitMix(r.seed, 0)}
	all, theirs := make([]float64, Draws), s.ofSize(k)
	for d := range all {
		s.draw(ours, r, d)
		ours.draw(theirs, again, d)
		all[d] = golden.Mean(theirs.values)
	}
	slices.Sort(all)
	const cut = Draws * 25 / 1000
	return all[cut], all[Draws-1-cut]
}
