package trial

import (
	"fmt"
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

// New returns a trial of the given speeds, in the order in which they were measured.
// The speeds with the same index form a round.
func New(base, head []float64) (*Trial, error) {
	if len(base) != len(head) || len(base) == 0 {
		return nil, fmt.Errorf("have %d runs of base and %d of head, want equal numbers of at least 1", len(base), len(head))
	}
	t := &Trial{}
	for _, side := range []struct {
		name   string
		speeds []float64
		logs   *[]float64
	}{{"base", base, &t.base}, {"head", head, &t.head}} {
		for i, v := range side.speeds {
			if !(v > 0) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("run %d of %s: have %v, want a number above 0", i+1, side.name, v)
			}
			*side.logs = append(*side.logs, numeric.Log64(v))
		}
	}
	return t, nil
}

// Runs returns the number of rounds.
func (t *Trial) Runs() int { return len(t.base) }

// Slower returns the probability that head is slower in at least as many pairs as in
// this trial, if the programs do not differ.
func (t *Trial) Slower() float64 { return below(len(t.base), t.wins(t.head, t.base)) }

// Faster returns the probability that head is faster in at least as many pairs as in
// this trial, if the programs do not differ.
func (t *Trial) Faster() float64 { return below(len(t.base), t.wins(t.base, t.head)) }

// wins compares each run in x with each run in y of the same block. It returns twice the
// number of pairs in which the run in x is faster, and adds 1 for each tie.
func (t *Trial) wins(x, y []float64) int {
	halves := 0
	t.each(func(lo, hi int) {
		for _, a := range x[lo:hi] {
			for _, b := range y[lo:hi] {
				switch {
				case a > b:
					halves += 2
				case a == b:
					halves++
				}
			}
		}
	})
	return halves
}

// each calls f once for every block. The block consists of the rounds lo to hi-1.
func (t *Trial) each(f func(lo, hi int)) {
	lo := 0
	for _, size := range blocks(len(t.base)) {
		f(lo, lo+size)
		lo += size
	}
}

// Change estimates how much faster head is, as a fraction of the speed of base: -0.05 is a
// loss of 5 %. It is one less than the median of the ratios of all pairs within a block.
func (t *Trial) Change() float64 {
	var d []float64
	t.each(func(lo, hi int) {
		for _, a := range t.head[lo:hi] {
			for _, b := range t.base[lo:hi] {
				d = append(d, a-b)
			}
		}
	})
	return float64(numeric.Exp64(median(d))) - 1
}

// Mean is like Change, but uses the mean of the logarithms of the ratios instead of
// their median. Even a slowdown of few runs moves the mean, but so does an outlier. So
// the mean estimates how large a difference is, but not whether there is one.
func (t *Trial) Mean() float64 {
	sum := 0.0
	for i, h := range t.head {
		sum += h - t.base[i]
	}
	return float64(numeric.Exp64(sum/float64(len(t.head)))) - 1
}

// Noise estimates the relative standard deviation of a run within its block, as if the
// noise were normal. It uses the median absolute difference of two runs of the same side
// and block. The estimate is only for reports: Need uses the runs themselves.
func (t *Trial) Noise() float64 {
	var d []float64
	t.same(func(diff float64) { d = append(d, math.Abs(diff)) })
	if len(d) == 0 {
		return 0
	}
	quartile := numeric.NormalQuantile(0.75)
	return median(d) / (math.Sqrt2 * quartile)
}

// same calls f with the difference of each pair of runs of the same side and block.
func (t *Trial) same(f func(diff float64)) {
	t.each(func(lo, hi int) {
		for _, side := range [][]float64{t.base[lo:hi], t.head[lo:hi]} {
			for i, a := range side {
				for _, b := range side[:i] {
					f(a - b)
				}
			}
		}
	})
}

// median sorts x and returns its median.
func median(x []float64) float64 {
	slices.Sort(x)
	n := len(x)
	return x[(n-1)/2]/2 + x[n/2]/2
}
