package trial

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	comparisons = 80
	loss5       = 0.05 // the loss to detect
)

// TestNeedFollowsTheNoise checks that the number of rounds that Need returns is in the
// expected range at several levels of noise. Each trial has enough rounds to estimate the
// noise precisely.
func TestNeedFollowsTheNoise(t *testing.T) {
	for _, c := range []struct {
		sigma     float64
		low, high int
	}{{0.001, 8, 12}, {0.01, 10, 12}, {0.02, 18, 22}, {0.05, 90, 105}, {0.1, 350, 420}} {
		base, head := sides(normal(rand.New(rand.NewPCG(4, 4)), 40_000), c.sigma, 0)
		have := New(base, head, 1).Need(loss5, comparisons)
		t.Logf("noise %g %%: %d rounds", 100*c.sigma, have)
		if have < c.low || have > c.high {
			t.Errorf("noise %v: need %d, want %d to %d", c.sigma, have, c.low, c.high)
		}
	}
}

// TestNeedIgnoresTheOutcome checks that a loss or a gain does not change the number
// of rounds needed.
func TestNeedIgnoresTheOutcome(t *testing.T) {
	x := normal(rand.New(rand.NewPCG(5, 5)), 48)
	base, head := sides(x, 0.03, 0)
	want := New(base, head, 1).Need(loss5, comparisons)
	for _, loss := range []float64{0.5, 0.05, -0.05, -1} {
		base, head := sides(x, 0.03, loss)
		if have := New(base, head, 1).Need(loss5, comparisons); have != want {
			t.Errorf("loss %v: need %d, want %d", loss, have, want)
		}
	}
}

func TestNeedIsAtLeastTheFewestSignificant(t *testing.T) {
	same := slices.Repeat([]float64{100}, 4000)
	for comparisons, want := range map[int]int{1: 5, 80: 9, 10_000: 14} {
		least := New(same[:2], same[:2], 1).Need(loss5, comparisons)
		if share := Alarm / float64(comparisons); least != want || distribution(want)[0] > share || distribution(want - 1)[0] <= share {
			t.Errorf("%d comparisons: need %d of 2 rounds, want %d", comparisons, least, want)
		}
		if have := New(same, same, 1).Need(loss5, comparisons); have < least {
			t.Errorf("%d comparisons without noise: need %d, want at least %d", comparisons, have, least)
		}
	}
}

func TestNeedIsBounded(t *testing.T) {
	wild := slices.Repeat([]float64{1, 1000, 1e6, 1e9}, 10)
	if have := New(wild, wild, 1).Need(loss5, comparisons); have != MaxRounds {
		t.Errorf("have %d, want %d", have, MaxRounds)
	}
}

func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.25}, []float64{0.25}},
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.5, 0.5, 0.5}, []float64{1, 1, 1}},
		{[]float64{0.001, 0.001}, []float64{0.002, 0.002}},
	} {
		if diff := cmp.Diff(c.want, Holm(c.p)); diff != "" {
			t.Errorf("%v (-want +have):\n%s", c.p, diff)
		}
	}
}
