package metric

import (
	"math"
	"math/big"
	"testing"

	"pushdown/harness/rng"
)

func TestShareLessIsExact(t *testing.T) {
	s := rng.New(2, "test")
	check := func(a, b Share) {
		t.Helper()
		want := big.NewRat(a.Correct, a.Cases).Cmp(big.NewRat(b.Correct, b.Cases)) < 0
		if got := a.less(b); got != want {
			t.Errorf("%v less than %v: got %t, want %t", a, b, got, want)
		}
	}
	for i := range uint32(2000) {
		at := rng.At{Unit: i}
		n, m := int64(1+s.IntN(at, 40)), int64(1+s.IntN(rng.At{Unit: i, Row: 1}, 40))
		check(Share{int64(s.IntN(rng.At{Unit: i, Row: 2}, uint32(n)+1)), n}, Share{int64(s.IntN(rng.At{Unit: i, Row: 3}, uint32(m)+1)), m})
	}
	const big62 = int64(1) << 62
	check(Share{big62 - 1, big62}, Share{big62 - 2, big62 - 1})
	check(Share{big62 - 2, big62 - 1}, Share{big62 - 1, big62})
	check(Share{2, 3}, Share{20, 30})
}

func TestShareInPercent(t *testing.T) {
	for _, c := range []struct {
		share Share
		want  float64
	}{{Share{2, 3}, 200.0 / 3}, {Share{7, 8}, 87.5}, {Share{29, 29}, 100}, {Share{0, 5}, 0}, {Share{1740791, 1740791}, 100}} {
		if got := c.share.Percent(); got != c.want {
			t.Errorf("%v: got %v, want %v", c.share, got, c.want)
		}
	}
	if got := (Share{1740790, 1740791}).Percent(); got >= 100 {
		t.Errorf("one wrong of 1,740,791 gives %v", got)
	}
	if got := (Share{}).Percent(); !math.IsNaN(got) {
		t.Errorf("no cases give %v, want NaN", got)
	}
}

func TestAccuracy(t *testing.T) {
	nan := float32(math.NaN())
	var a Accuracy
	for _, c := range []struct {
		scores []float32
		argmax int
	}{
		{[]float32{3}, 0},
		{[]float32{1, 2, 3}, 2},
		{[]float32{1, 3, 3}, 1},
		{[]float32{0, float32(math.Copysign(0, -1)), 0}, 0},
		{[]float32{1, nan, 2}, 2},
		{[]float32{nan, 5}, 0},
		{[]float32{float32(math.Inf(-1)), -5}, 1},
	} {
		got := Argmax(c.scores)
		if got != c.argmax {
			t.Errorf("%v: argmax is %d, want %d", c.scores, got, c.argmax)
		}
		a.Add(got == c.argmax)
		a.Add(got == c.argmax+1)
	}
	if a.Share != (Share{7, 14}) || a.Percent() != 50 {
		t.Errorf("got %v, want 7/14", a.Share)
	}
}
