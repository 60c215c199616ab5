package trial

import (
	"math"
	"math/bits"
	"slices"

	"pushdown/harness/numeric"
)

// Rounds is the number of rounds in a block.
const Rounds = 4

// FirstSide returns the side that runs first in a round, counted from 0: 0 for base, 1
// for head. It is the Thue-Morse sequence.
func FirstSide(round int) int { return bits.OnesCount(uint(round)) % 2 }

// A Trial holds the speeds of the runs of two programs.
type Trial struct {
	base, head []float64 // logarithms of speeds, in order
}

// New returns a trial of measured values, in the order in which they were measured. Values
// with the same index form a round. There must be as many of base as of head, at least one,
// and all must be above 0. If better is 1 the values are speeds, if it is -1 they are times.
func New(base, head []float64, better int) *Trial {
	if len(base) != len(head) || len(base) == 0 {
		panic("trial: want equal numbers of runs, at least 1")
	}
	logs := func(values []float64) (list []float64) {
		for _, v := range values {
			list = append(list, float64(better)*numeric.Log64(v))
		}
		return list
	}
	return &Trial{logs(base), logs(head)}
}

// Runs returns the number of rounds.
func (t *Trial) Runs() int { return len(t.base) }

// Slower returns the probability that head is slower in at least as many pairs as in
// this trial, if the programs do not differ.
func (t *Trial) Slower() float64 { return t.below(1) }

// Faster returns the probability that head is faster in at least as many pairs as in
// this trial, if the programs do not differ.
func (t *Trial) Faster() float64 { return t.below(-1) }

// below returns the probability that a side wins at most as many pairs as in this trial: head
// if sign is 1, base if it is -1. Wins are counted in halves, because a tie counts as half a
// win. The probability is computed as if there were no ties, with halves rounded up. It is never
// below the true one, because small numbers of wins are less probable with ties.
func (t *Trial) below(sign float64) float64 {
	halves := 0
	for _, d := range t.differences() {
		halves += half(sign * d)
	}
	return distribution(t.Runs())[(halves+1)/2]
}

// half returns 2 if x is positive, 1 if it is 0, and otherwise 0.
func half(x float64) int {
	switch {
	case x > 0:
		return 2
	case x == 0:
		return 1
	}
	return 0
}

// each calls f with the runs of base and head of every block.
func (t *Trial) each(f func(base, head []float64)) {
	lo := 0
	for _, size := range blocks(t.Runs()) {
		f(t.base[lo:lo+size], t.head[lo:lo+size])
		lo += size
	}
}

// differences returns by how much each run of head is faster than each run of base of its block.
func (t *Trial) differences() (list []float64) {
	t.each(func(base, head []float64) {
		for _, h := range head {
			for _, b := range base {
				list = append(list, h-b)
			}
		}
	})
	return list
}

// same returns the absolute difference of each pair of runs of the same side and block. It is
// noise alone.
func (t *Trial) same() (list []float64) {
	t.each(func(base, head []float64) {
		for _, side := range [][]float64{base, head} {
			for i, a := range side {
				for _, b := range side[:i] {
					list = append(list, math.Abs(a-b))
				}
			}
		}
	})
	return list
}

// Change estimates how much faster head is, as a fraction of the speed of base: -0.05 is a
// loss of 5 %. It is one less than the median of the ratios of all pairs within a block.
func (t *Trial) Change() float64 {
	return float64(numeric.Exp64(median(t.differences()))) - 1
}

// Mean is like Change, but uses the mean of the logarithms of the ratios instead of
// their median. Even a slowdown of few runs moves the mean, but so does an outlier. So
// the mean estimates how large a difference is, but not whether there is one.
func (t *Trial) Mean() float64 {
	sum := 0.0
	for i, h := range t.head {
		sum += h - t.base[i]
	}
	return float64(numeric.Exp64(sum/float64(t.Runs()))) - 1
}

// Noise estimates the relative standard deviation of a run within its block, as if the
// noise were normal. It uses the median absolute difference of two runs of the same side
// and block. The estimate is only for reports: Need uses the runs themselves.
func (t *Trial) Noise() float64 {
	if t.Runs() < 2 {
		return 0
	}
	return median(t.same()) / (math.Sqrt2 * numeric.NormalQuantile(0.75))
}

// rounding bounds the effect of rounding. Package testing prints only four digits. So if two
// units report the same measurement, the ratio of their speeds is not quite constant: its
// logarithm varies by up to this bound.
const rounding = 2e-3

// Repeats reports whether two trials of several runs are the same measurement in two units: the
// ratio of their speeds is constant except for rounding.
func (t *Trial) Repeats(other *Trial) bool {
	ratios := slices.Concat(t.base, t.head)
	for i, x := range slices.Concat(other.base, other.head) {
		ratios[i] -= x
	}
	return t.Runs() > 1 && slices.Max(ratios)-slices.Min(ratios) <= rounding
}

// median sorts x and returns its median.
func median(x []float64) float64 {
	slices.Sort(x)
	n := len(x)
	return x[(n-1)/2]/2 + x[n/2]/2
}
