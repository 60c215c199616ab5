package trial

import (
	"math"
	"testing"
)

// TestDistribution checks the counts that the tables of the Mann-Whitney test have for two sides of
// four runs, and that blocks are independent.
func TestDistribution(t *testing.T) {
	one, two := distribution(Rounds), distribution(2*Rounds)
	sum := 0.0
	for wins, times := range []float64{1, 1, 2, 3, 5, 5, 7, 7, 8, 7, 7, 5, 5, 3, 2, 1, 1} {
		if sum += times; math.Abs(one[wins]-sum/70) > 1e-15 {
			t.Errorf("at most %d pairs: have %v, want %v of 70", wins, one[wins], sum)
		}
	}
	for wins, times := range []float64{1, 3, 8, 18} {
		if math.Abs(two[wins]-times/4900) > 1e-15 {
			t.Errorf("two blocks, at most %d pairs: have %v, want %v of 4900", wins, two[wins], times)
		}
	}
	for n := 1; n < 50; n++ {
		if d := distribution(n); math.Abs(d[len(d)-1]-1) > 1e-12 {
			t.Errorf("%d rounds: all outcomes have the probability %v", n, d[len(d)-1])
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
