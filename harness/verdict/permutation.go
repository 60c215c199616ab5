package verdict

import (
	"fmt"
	"math"
	"slices"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

// divisions is the largest number of divisions that permutation looks at one by one. For more, it draws some.
const divisions = 1_000_000

// permutation returns how often two groups of runs would differ as much in their means if it did not matter to which group a run belongs: the share of the
// ways to divide all values into groups of these sizes whose means differ at least as much. If there are too many ways, it draws some, and counts
// the groups themselves as one more. The result ok is false if no share could be below 5 per cent.
func permutation(a, b []float64) (share float64, ok bool) {
	k, n := min(len(a), len(b)), len(a)+len(b)
	ways := 1.0 // n over k
	for i := range k {
		ways *= float64(n-i) / float64(i+1)
	}
	least := 1 / ways
	if len(a) == len(b) {
		least *= 2 // groups that change places differ as much
	}
	if k == 0 || least >= 0.05 {
		return 0, false
	}
	all, total := slices.Concat(a, b), golden.Mean(slices.Concat(a, b))
	// With the mean of all values fixed, the difference grows with the distance of the mean of k values from it.
	limit := math.Abs(golden.Mean(all[:len(a)]) - total)
	if len(b) == k {
		limit = math.Abs(golden.Mean(all[len(a):]) - total)
	}
	limit -= float64(1e-9 * (limit + math.Abs(total))) // sums in another order round differently
	far, count := 0, 0
	look := func(sum float64) {
		if count++; math.Abs(sum/float64(k)-total) >= limit {
			far++
		}
	}
	if ways <= divisions {
		choose(all, k, 0, look)
	} else {
		far, count = 1, 1
		r := newResampler("divisions")
		for d := range Draws {
			sum := 0.0
			for i := range k {
				at := i + r.pick(d, i, n-i)
				all[i], all[at] = all[at], all[i]
				sum += all[i]
			}
			look(sum)
		}
	}
	return float64(far) / float64(count), true
}

// choose calls look with sum plus the sum of each choice of k of the values.
func choose(values []float64, k int, sum float64, look func(sum float64)) {
	if k == 0 {
		look(sum)
		return
	}
	for i := range len(values) - k + 1 {
		choose(values[i+1:], k-1, sum+values[i], look)
	}
}

// permutationText returns the result of permutation as text for the runs of a group in two files. It returns "-" at scale smoke, and
// for a quantity that is the number of one run, because the means do not say how that differs.
func permutationText(g, theirs *golden.File, group golden.Name, q *papers.Quantity) string {
	share, ok := permutation(g.Values(group, q.Unit), theirs.Values(group, q.Unit))
	if !ok || selects(q) || g.Scale == "smoke" {
		return "-"
	}
	return fmt.Sprintf("%.2g", share)
}
