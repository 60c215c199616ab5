package trial

import "sync"

// blocks divides n rounds into blocks. The last one takes what is left over.
func blocks(n int) []int {
	var sizes []int
	for n >= 2*Rounds {
		sizes = append(sizes, Rounds)
		n -= Rounds
	}
	return append(sizes, n)
}

// below returns the chance that no more than halves/2 pairs of n rounds are won
// by a side that does not differ from the other. Ties narrow the distribution,
// so a half counts as a whole, which errs on the safe side.
func below(n, halves int) float64 {
	return distribution(n)[(halves+1)/2]
}

// known holds the distributions that were computed, by n.
var known sync.Map

// distribution returns the chances of at most 0, 1, 2 ... pairs won in n rounds.
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

// mannWhitney returns the chances of 0, 1 ... k*k pairs won among k runs of each
// of two sides that do not differ. The fastest of i and j runs belongs to the
// first with chance i/(i+j), and then wins all j of its pairs.
func mannWhitney(k int) []float64 {
	row := make([][]float64, k+1) // by j, for the present i
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
