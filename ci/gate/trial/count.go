package trial

import "sync"

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

// below returns the probability that a side wins at most halves/2 pairs in n rounds if the
// sides do not differ. Wins are counted in halves, because a tie counts as half a win. The
// computation assumes that there are no ties, and rounds halves/2 up. The result is never
// below the true probability, because small numbers of wins are less probable with ties.
func below(n, halves int) float64 {
	return distribution(n)[(halves+1)/2]
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
// exactly 0, 1, ..., k*k pairs, if the sides do not differ. It computes them by a
// recurrence over the number of runs of each side, i and j. With probability i/(i+j) the
// fastest run belongs to the first side; then it wins j pairs.
func mannWhitney(k int) []float64 {
	row := make([][]float64, k+1) // by j, for the current i
	for j := range row {
		row[j] = []float64{1}
	}
	for i := 1; i <= k; i++ {
		next := make([][]float64, k+1)
		next[0] = []float64{1}
		for j := 1; j <= k; j++ {
			next[j] = make([]float64, i*j+1)
			first := float64(i) / float64(i+j)
			for wins, p := range row[j] {
				next[j][wins+j] += float64(first * p)
			}
			for wins, p := range next[j-1] {
				next[j][wins] += float64((1 - first) * p)
			}
		}
		row = next
	}
	return row[k]
}
