package train

import (
	"math"
	"strings"
	"testing"

	"pushdown/harness/kernel/cpu"
)

// TestStreamSet checks that the loss of a StreamSet does not depend on the size of its
// batches.
func TestStreamSet(t *testing.T) {
	loss := func(steps int) float64 {
		set, err := NewStreamSet(echoStream{10, 7, 9}, 3, 12, steps)
		if err != nil {
			t.Fatal(err)
		}
		e, err := NewEvaluator(build, device(t, cpu.Best()), set, 7)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		p := newParams(e.vm)
		for i := range p.Data {
			for j := range p.Data[i] {
				p.Data[i][j] = float32(i-j) / 8
			}
		}
		mean, err := e.Run(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		return mean
	}
	want := loss(1)
	for _, steps := range []int{2, 5, 100} {
		if have := loss(steps); math.Float64bits(have) != math.Float64bits(want) {
			t.Errorf("loss %v in batches of %d symbols, %v symbol by symbol", have, steps, want)
		}
	}
	for _, c := range []struct {
		first, n, steps int
		s               Stream
		want            string
	}{
		{-1, 1, 1, echoStream{1, 1, 1}, "from string -1 on"}, {0, 0, 1, echoStream{1, 1, 1}, "reading 0 strings"},
		{0, 1, 0, echoStream{1, 1, 1}, "0 symbols at a time"}, {0, 2, 4, missingTarget{echoStream{1, 1, 1}}, "symbols and"},
	} {
		if _, err := NewStreamSet(c.s, c.first, c.n, c.steps); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one that says %s", err, c.want)
		}
	}
}
