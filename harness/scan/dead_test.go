package scan

import (
	"slices"
	"testing"

	"pushdown/harness/stepgraph"
)

// TestReuseDead checks that the gradients of the gates of an LSTM are stored in the place of
// the gates in a large batch, but not in a small one, in which that saves next to nothing,
// and never in a stream, whose next window reads the gates again.
func TestReuseDead(t *testing.T) {
	g := training(t, testCell{"lstm", 6, lstm})
	for _, c := range []struct {
		rows, window int
		want         bool
	}{{1 << 17, 0, true}, {16, 0, false}, {1 << 17, 8, false}} {
		opts := Options{MaxStrings: 1, MaxRows: c.rows, MaxSteps: c.rows, MaxExamples: c.rows, Window: c.window}
		p, err := planned(g, opts)
		if err != nil {
			t.Fatal(err)
		}
		have := slices.ContainsFunc(p.values, func(v *value) bool {
			return v.live && v.is(stepgraph.ConcatCols) && v.backward && v.inPlaceOf != nil && !v.inPlaceOf.backward
		})
		if have != c.want {
			t.Errorf("%d rows, window %d: gradients in the place of gates: have %v, want %v", c.rows, c.window, have, c.want)
		}
	}
}
