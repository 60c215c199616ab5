package metric

import (
	"math"
	"testing"

	"pushdown/harness/rng"
)

// TestCrossEntropyIsInRowOrder checks that the losses are added in the order of the
// rows. The result must have the same bits if batches end at other rows, but not if the
// rows have another order.
func TestCrossEntropyIsInRowOrder(t *testing.T) {
	s := rng.New(1, "test")
	losses := make([]float32, 10_000)
	for i := range losses {
		losses[i] = s.Uniform(rng.At{Unit: uint32(i)}, 0, 1)
		if i%7 == 0 {
			losses[i] *= 0x1p40 // so that the float64 sum rounds
		}
	}
	want := 0.0
	for _, l := range losses {
		want += float64(l)
	}
	want /= float64(len(losses))
	mean := func(add func(c *CrossEntropy)) float64 {
		var c CrossEntropy
		add(&c)
		m, err := c.Mean()
		if err != nil {
			t.Fatal(err)
		}
		if c.Rows() != int64(len(losses)) {
			t.Errorf("%d rows, want %d", c.Rows(), len(losses))
		}
		return m
	}
	for name, add := range map[string]func(c *CrossEntropy){
		"one by one": func(c *CrossEntropy) {
			for i := range losses {
				c.AddRows(losses[i : i+1])
			}
		},
		"one batch": func(c *CrossEntropy) { c.AddRows(losses) },
		"batches": func(c *CrossEntropy) {
			for rest, size := losses, 1; len(rest) > 0; size = size%50 + 1 {
				n := min(size, len(rest))
				c.AddRows(rest[:n])
				rest = rest[n:]
			}
		},
	} {
		if got := mean(add); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s: mean is %x, want %x", name, got, want)
		}
	}
	backward := mean(func(c *CrossEntropy) {
		for i := len(losses) - 1; i >= 0; i-- {
			c.AddRows(losses[i : i+1])
		}
	})
	if backward == want {
		t.Error("the rows backward give the same bits: the test does not see the order")
	}
}

func TestCrossEntropyErrors(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		losses []float32
		want   string
	}{
		{nil, "mean cross-entropy: have no rows, want at least 1"},
		{[]float32{1, float32(math.NaN()), 2}, "mean cross-entropy: the sum over 3 rows is NaN, want a finite number"},
		{[]float32{1, inf}, "mean cross-entropy: the sum over 2 rows is +Inf, want a finite number"},
		{[]float32{inf, -inf}, "mean cross-entropy: the sum over 2 rows is NaN, want a finite number"},
	} {
		var ce CrossEntropy
		ce.AddRows(c.losses)
		if _, err := ce.Mean(); err == nil || err.Error() != c.want {
			t.Errorf("%v: got error %v, want %q", c.losses, err, c.want)
		}
	}
}

// TestDerivedFigures compares Perplexity with math.Exp and checks a few exact values.
// Perplexity is computed by Exp64, which has an error of at most 1 ulp. The tolerance is
// larger, because math.Exp has an error of its own.
func TestDerivedFigures(t *testing.T) {
	for nats := 0.0; nats < 20; nats += 0.37 {
		if got, want := Perplexity(nats), math.Exp(nats); math.Abs(got-want) > 2*(math.Nextafter(want, math.Inf(1))-want) {
			t.Errorf("perplexity of %v nats is %v, want %v", nats, got, want)
		}
	}
	if got := BitsPerCharacter(math.Ln2 * 3); got != 3 {
		t.Errorf("3 ln 2 nats are %v bits, want 3", got)
	}
	if got := Perplexity(0); got != 1 {
		t.Errorf("perplexity of 0 nats is %v, want 1", got)
	}
}
