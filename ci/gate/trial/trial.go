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

// First tells which side runs first in a round, counted from 0: 0 for base, 1
// for head. It is the sequence of Thue and Morse.
func First(round int) int { return bits.OnesCount(uint(round)) % 2 }

// A Trial is the runs of two programs.
type Trial struct {
	base, head []float64 // logarithms of speeds, in order
}

// New takes speeds in the order in which they were measured. Those with the same
// index are a round.
func New(base, head []float64) (*Trial, error) {
	if len(base) != len(head) || len(base) == 0 {
		return nil, fmt.Errorf("base has %d runs and head %d, want as many and at least 1", len(base), len(head))
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

// Runs is the number of rounds.
func (t *Trial) Runs() int { return len(t.base) }

// Slower is the chance of so many slow runs of head if the programs do not
// differ.
func (t *Trial) Slower() float64 { return below(len(t.base), t.wins(t.head, t.base)) }

// Faster is the chance of so many fast runs of head if the programs do not
// differ.
func (t *Trial) Faster() float64 { return below(len(t.base), t.wins(t.base, t.head)) }

// wins counts, in halves, the pairs of a block in which x is the faster one. A
// tie is a half.
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

// each calls f with the rounds of each block.
func (t *Trial) each(f func(lo, hi int)) {
	lo := 0
	for _, size := range blocks(len(t.base)) {
		f(lo, lo+size)
		lo += size
	}
}

// Change estimates how much faster head is, as a fraction of the speed of base:
// -0.05 is a loss of 5 %. It is the median of the ratios within the blocks.
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

// Mean is Change by the mean of the logarithms of the ratios in place of their
// median. What slows some of the runs moves it however few they are, and so does
// an outlier: it says how large a difference is, not whether there is one.
func (t *Trial) Mean() float64 {
	sum := 0.0
	for i, h := range t.head {
		sum += h - t.base[i]
	}
	return float64(numeric.Exp64(sum/float64(len(t.head)))) - 1
}

// Noise estimates the relative standard deviation of a run within its block, as
// the median difference of two runs of one side shows it for normal noise. It is
// for people: Need looks at the runs themselves.
func (t *Trial) Noise() float64 {
	var d []float64
	t.same(func(diff float64) { d = append(d, math.Abs(diff)) })
	if len(d) == 0 {
		return 0
	}
	quartile := numeric.NormalQuantile(0.75)
	return median(d) / (math.Sqrt2 * quartile)
}

// same calls f with the difference of each two runs of one side and one block.
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
