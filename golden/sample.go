package golden

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"
)

// Draws is the number of bootstrap draws behind a verdict.
const Draws = 10_000

// MinSeeds is the number of seeds below which nothing is decided: a spread of
// two values has one degree of freedom and an interval 18 spreads wide. Units
// that never vary (assume=exact) need one.
const MinSeeds = 3

// mean returns the mean of x. Equal values give that value exactly.
func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v - x[0]
	}
	return x[0] + sum/float64(len(x))
}

// deviation returns the sample standard deviation of x, 0 for one value.
func deviation(x []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	m, sum := mean(x), 0.0
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

// predict returns the interval that holds the mean of k further runs with a
// probability of 95 per cent if the runs x are normal: mean ± t s sqrt(1/k + 1/n)
// with Student's t of n-1 degrees of freedom. One run is the case k = 1.
func predict(x []float64, k int) (low, high float64) {
	m, s := mean(x), deviation(x)
	if s == 0 {
		return m, m
	}
	n := float64(len(x))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975)
	reach := t * s * math.Sqrt(1/float64(k)+1/n)
	return m - reach, m + reach
}

// predictBest returns the interval that holds the best of k runs in 95 of 100
// bootstrap draws of k runs from x.
func predictBest(x []float64, k int, higher bool, r resampler) (low, high float64) {
	bests, draw := make([]float64, Draws), make([]float64, k)
	for d := range bests {
		for i := range draw {
			draw[i] = x[r.pick(d, i, len(x))]
		}
		bests[d] = best(draw, higher)
	}
	slices.Sort(bests)
	const cut = Draws * 25 / 1000
	return bests[cut], bests[Draws-1-cut]
}

// round6 keeps six significant digits: all that evidence shows, and so all
// that an outcome may depend on. The last bits of a quantile may differ
// between processors.
func round6(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	return v
}
