package metric

import (
	"math"
	"math/big"
	"testing"

	"pushdown/harness/rng"
)

// exact evaluates a rule in rational numbers.
func exact(r Rule, probTrue, probAll float32) bool {
	share := new(big.Rat).Quo(new(big.Rat).SetFloat64(float64(probTrue)), new(big.Rat).SetFloat64(float64(probAll)))
	sign := share.Cmp(big.NewRat(4, 5))
	return sign > 0 || sign == 0 && !r.Strict
}

func TestRuleIsExact(t *testing.T) {
	rules := []Rule{Paper, PublicCode}
	check := func(probTrue, probAll float32) {
		t.Helper()
		for _, r := range rules {
			if got, want := r.met(float64(probTrue), float64(probAll)), exact(r, probTrue, probAll); got != want {
				t.Fatalf("%x of %x %v: got %t, want %t", probTrue, probAll, r, got, want)
			}
		}
	}
	// Check the numbers next to the threshold, for sums with full mantissas and for
	// subnormal sums. A division would be rounded and could put them on the wrong side.
	s := rng.New(1, "test")
	for i := range uint32(1000) {
		all := s.Uniform(rng.At{Unit: i}, 0.5, 1)
		if i%4 == 0 {
			all = math.Float32frombits(1 + s.IntN(rng.At{Unit: i}, 1<<23))
		}
		near := float32(float64(all) * 4 / 5)
		check(math.Nextafter32(near, 0), all)
		check(near, all)
		check(math.Nextafter32(near, 2), all)
	}
	check(4, 5)
	check(0.8, 1)
	check(math.Nextafter32(0.8, 0), 1)
	check(0x1p-149, 0x1p-149)
}

// TestThresholdItself checks shares at and near the threshold. A share equal to it counts
// as correct by the rule Paper, but not by the rule PublicCode.
func TestThresholdItself(t *testing.T) {
	for _, c := range []struct {
		probTrue, probAll float32
		paper, code       bool
	}{
		{0.5, 0.625, true, false},
		{0.8, 1, true, true}, // float32(0.8) is above 4/5
		{math.Nextafter32(0.8, 0), 1, false, false},
		{1, 1, true, true},
		{0.75, 1, false, false},
		{0x1p-147, 0x1.4p-147, true, false},
	} {
		if got := Paper.met(float64(c.probTrue), float64(c.probAll)); got != c.paper {
			t.Errorf("%v of %v: paper's rule gives %t, want %t", c.probTrue, c.probAll, got, c.paper)
		}
		if got := PublicCode.met(float64(c.probTrue), float64(c.probAll)); got != c.code {
			t.Errorf("%v of %v: public code's rule gives %t, want %t", c.probTrue, c.probAll, got, c.code)
		}
	}
}
