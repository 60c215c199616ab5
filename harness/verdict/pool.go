package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// A Pool is the spread of runs with other seeds that the rows of a paper in a suite have in common, in one unit:
// variants and the row that is judged included, runs of a first epoch not. It stands for the spread of a row that
// has too few runs of its own.
type Pool struct {
	Rows    int // the number of rows that have several runs
	Freedom int // degrees of freedom: the number of their runs, less Rows
	// Deviation is the root of the mean square of the runs' distances from the mean of their row. If Relative is set,
	// distances are shares of that mean, as of perplexities, whose spread grows with them.
	Deviation float64
	Relative  bool
	variances []float64 // of the rows
	freedom   []int     // of the rows
	// Ratio is the largest of the variances over the smallest, and Limit what this exceeds once in twenty times if all
	// rows have the same variance and are normally distributed.
	Ratio, Limit float64
}

// poolFreedom is the smallest number of degrees of freedom of a Pool that decides anything.
const poolFreedom = 4

// pools reports whether numbers of the quantity may be judged by a Pool: losses of single runs
// of language models. Seeds of most of these spread little.
func pools(q *papers.Quantity) bool {
	_, metric, _ := strings.Cut(q.Unit, "-")
	return q.Trials == 1 && (metric == "ppl" || metric == "ce" || metric == "bpc")
}

// pool returns the pool in a unit of the rows of a paper in a suite, at scale paper.
func (r *Results) pool(suite, paper, unit string) Pool {
	k := [3]string{suite, paper, unit}
	p, ok := r.pools[k]
	if !ok {
		p = poolOf(r.files, suite, paper, unit)
		p.Ratio, p.Limit = p.alike()
		r.pools[k] = p
	}
	return p
}

// poolOf computes a pool but its Ratio and its Limit.
func poolOf(files []*golden.File, suite, paper, unit string) (p Pool) {
	p.Relative = strings.HasSuffix(unit, "-ppl")
	sum := 0.0
	for _, other := range files {
		if other.Suite != suite || other.Scale != "paper" {
			continue
		}
		for _, g := range other.Groups() {
			x := other.Values(g, unit)
			if paperOf(g) != paper || strings.Contains(string(g), FirstEpoch) || len(x) < 2 {
				continue
			}
			s := Deviation(x)
			if p.Relative {
				s /= golden.Mean(x)
			}
			n := len(x) - 1
			sum += float64(float64(n) * float64(s*s))
			p.Rows, p.Freedom, p.variances = p.Rows+1, p.Freedom+n, append(p.variances, float64(s*s))
			p.freedom = append(p.freedom, n)
		}
	}
	if p.Freedom > 0 {
		p.Deviation = math.Sqrt(sum / float64(p.Freedom))
	}
	return p
}

// predict returns a 95 per cent prediction interval for another run of a row with the runs x: as the function predict
// does, but with the spread and the degrees of freedom of the pool.
func (p Pool) predict(x []float64) (low, high float64) {
	m, s := golden.Mean(x), p.Deviation
	if p.Relative {
		s *= m
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(p.Freedom)}.Quantile(0.975)
	reach := t * s * math.Sqrt(1+1/float64(len(x)))
	return m - reach, m + reach
}

// paperOf returns the paper that has the rows of a group.
func paperOf(group golden.Name) string { return group.Parts()[0].Value }

// decides reports whether the pool has enough degrees of freedom, and several rows that spread alike. A row without
// variance, or with a NaN, is like no other.
func (p Pool) decides() bool { return p.Rows > 1 && p.Freedom >= poolFreedom && p.Ratio <= p.Limit }

// alike computes Ratio and Limit.
func (p Pool) alike() (ratio, limit float64) {
	n := uint64(0)
	uniform := func() float64 { n++; return (float64(splitMix(0x5eed, n)>>11) + 0.5) / (1 << 53) }
	extremes := func(variance func(i int) float64) float64 {
		low, high := math.Inf(1), 0.0
		for i := range p.variances {
			v := variance(i)
			low, high = min(low, v), max(high, v)
		}
		return high / low
	}
	draws := make([]float64, 2000)
	for d := range draws {
		draws[d] = extremes(func(i int) float64 {
			return distuv.ChiSquared{K: float64(p.freedom[i])}.Quantile(uniform()) / float64(p.freedom[i])
		})
	}
	slices.Sort(draws)
	return extremes(func(i int) float64 { return p.variances[i] }), draws[len(draws)*95/100]
}

// String describes the pool in a few words.
func (p Pool) String() string {
	deviation := Short(p.Deviation)
	if p.Relative {
		deviation = Short(100*p.Deviation) + " per cent"
	}
	return fmt.Sprintf("%s, from %d rows with %d degrees of freedom; the largest variance is %.3g times the smallest, which by chance exceeds %.3g once in twenty times",
		deviation, p.Rows, p.Freedom, p.Ratio, p.Limit)
}
