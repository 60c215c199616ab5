package wordlm

import (
	"math"
	"slices"
	"testing"

	"pushdown/harness/rng"
)

// TestBag checks the fit of a bag to stacks whose tops are known functions of the words.
func TestBag(t *testing.T) {
	const vocabulary = 20
	draw := rng.New(1, "bag").Seq(0, 0)
	words := func(n int) []int32 {
		list := make([]int32, n)
		for i := range list {
			list[i] = int32(draw.IntN(vocabulary))
		}
		return list
	}
	fit, test := words(5000), words(1000)
	effect := make([]float64, vocabulary)
	for w := range effect {
		effect[w] = draw.Float64()
	}
	bagged := func(decay float64) func([]int32) []float64 {
		return func(words []int32) []float64 {
			tops, last := make([]float64, len(words)), mean(effect)/(1-decay)
			for i, w := range words {
				last = float64(decay*last) + effect[w]
				tops[i] = last
			}
			return tops
		}
	}
	for _, x := range []struct {
		name      string
		tops      func([]int32) []float64
		decay     float64 // NaN: any
		low, high float64
	}{
		{"a bag", bagged(0.8), 0.8, 0.999, 1},
		{"the last word", bagged(0), 0, 0.999, 1},
		{"a constant", func(w []int32) []float64 { return slices.Repeat([]float64{-1}, len(w)) }, math.NaN(), 0, 0},
		{"the time", func(w []int32) []float64 {
			tops := make([]float64, len(w))
			for i := range tops {
				tops[i] = float64(i % 7)
			}
			return tops
		}, math.NaN(), -0.1, 0.1},
	} {
		b := fitBag(fit, x.tops(fit), vocabulary)
		if b.decay != x.decay && !math.IsNaN(x.decay) {
			t.Errorf("%s: have decay %v, want %v", x.name, b.decay, x.decay)
		}
		if r := b.correlation(test, x.tops(test)); !(r >= x.low && r <= x.high) {
			t.Errorf("%s: have correlation %v, want %v to %v", x.name, r, x.low, x.high)
		}
	}
}
