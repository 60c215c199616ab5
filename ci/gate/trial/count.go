package trial

import (
	"math/bits"
	"sync"
)

// blocks divides n rounds into blocks and returns their sizes. All blocks have Rounds rounds,
// but the last one also has the rounds that are left over. If n is less than Rounds, there is
// a single block of n rounds.
func blocks(n int) []int {
	var sizes []int
	for n >= 2*Rounds {
		sizes = append(sizes, Rounds)
		n -= Rounds
	}
	return append(sizes, n)
}

// known caches distributions by n.
var known sync.Map

// distribution returns the probabilities that a side wins at most 0, at most 1, at most
// 2, ... pairs in n rounds if the sides do not differ.
func distribution(n int) []float64 {
	if v, ok := known.Load(n); ok {
		return v.([]float64)
	}
	chance := []float64{1}
	for _, size := range blocks(n) {
		block := mannWhitney(size)
		sum := make([]float64, len(chance)+len(block)-1)
		for i, a := range chance {
			for j, b := range block {
				sum[i+j] += float64(a * b)
			}
		}
		chance = sum
	}
	for i := range chance[1:] {
		chance[i+1] = min(1, chance[i]+chance[i+1])
	}
	known.Store(n, chance)
	return chance
}

// mannWhitney returns the probabilities that the first of two sides with k runs each wins
// exactly 0, 1, ..., k*k pairs, if the sides do not differ: then all orders of the runs are
// equally likely.
func mannWhitney(k int) []float64 {
	times, all := make([]float64, k*k+1), 0.0
	for first := range uint(1) << (2 * k) { // the runs of the first side, the slowest in bit 0
		if bits.OnesCount(first) != k {
			continue
		}
		wins := 0
		for i := range 2 * k {
			if first>>i&1 == 1 {
				wins += bits.OnesCount(^first & (1<<i - 1))
			}
		}
		times[wins]++
		all++
	}
	for i := range times {
		times[i] /= all
	}
	return times
}
