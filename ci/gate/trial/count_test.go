package trial

import (
	"math"
	"math/bits"
	"testing"
)

// enumerate lists all ways to divide the runs of n rounds between the two sides, block by
// block. The result maps a number of pairs to the number of divisions in which one fixed
// side wins that many pairs.
func enumerate(n int) map[int]int {
	all := map[int]int{0: 1}
	for _, k := range blocks(n) {
		next := map[int]int{}
		for set := range uint(1) << (2 * k) {
			if bits.OnesCount(set) != k {
				continue
			}
			wins := 0
			for i := range 2 * k {
				if set>>i&1 == 1 {
					wins += bits.OnesCount(^set & (1<<i - 1))
				}
			}
			for w, times := range all {
				next[w+wins] += times
			}
		}
		all = next
	}
	return all
}

func TestDistributionIsThatOfAllDivisions(t *testing.T) {
	for n := 1; n <= 12; n++ {
		times, total := enumerate(n), 0
		for _, c := range times {
			total += c
		}
		have := distribution(n)
		sum := 0
		for w, p := range have {
			sum += times[w]
			if want := float64(sum) / float64(total); math.Abs(p-want) > 1e-13*want {
				t.Errorf("%d rounds, at most %d pairs won: have %v, want %v", n, w, p, want)
			}
		}
		if sum != total {
			t.Errorf("%d rounds: %d of %d divisions are covered", n, sum, total)
		}
	}
}

func TestBlocksHoldAllRounds(t *testing.T) {
	for n := 1; n < 100; n++ {
		sum := 0
		for i, k := range blocks(n) {
			sum += k
			if k != Rounds && i < len(blocks(n))-1 || k >= 2*Rounds {
				t.Errorf("%d rounds: block %d has %d", n, i, k)
			}
		}
		if sum != n {
			t.Errorf("%d rounds: blocks hold %d", n, sum)
		}
	}
}

// TestOrderCancelsDrift checks the order of the runs in each block. The numbers of the
// runs of one side, and also their squares, must have the same sum as those of the
// other side. Then linear and quadratic drift of the speed cancels.
func TestOrderCancelsDrift(t *testing.T) {
	for from := 0; from < 40*Rounds; from += Rounds {
		var sum, squares [2]int
		for round := from; round < from+Rounds; round++ {
			for second := range 2 {
				side, time := FirstSide(round), 2*round+second
				if second == 1 {
					side = 1 - side
				}
				sum[side] += time
				squares[side] += time * time
			}
		}
		if sum[0] != sum[1] || squares[0] != squares[1] {
			t.Errorf("rounds from %d: sums %v, squares %v", from, sum, squares)
		}
	}
}
