package scan

import (
	"slices"
	"testing"
)

// TestReachOfBatches: a gradient that goes back no further than it reaches is that
// of whole stacks, in every bit, for strings of unequal length that are longer and
// shorter than stacks are deep, with cuts, and after batches that left other numbers
// where the gradient does not reach.
func TestReachOfBatches(t *testing.T) {
	batches := [][]int{{1}, {3, 3, 2, 2, 2, 1, 1}, {4, 1}, slices.Repeat([]int{2}, 30), {4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1}}
	for _, c := range deepCells {
		for _, cut := range []int{0, 4} {
			g := training(t, c)
			opts := Options{Strings: 4, Rows: 64, Steps: 32, Examples: 64, BPTT: cut, MergeWidth: 1}
			dev := device(t, testISA(), 1)
			bounded, whole := compiled(t, g, dev, opts), apart(t, g, dev, opts)
			for i, active := range batches {
				p := newProblem(g, active, uint64(i))
				if got, want := outcome(t, bounded, p), outcome(t, whole, p); !slices.Equal(got, want) {
					t.Errorf("%s, cut every %d steps: batch %d of %v has other results than without a reach", c.name, cut, i, active)
				}
			}
		}
	}
}
