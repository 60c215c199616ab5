package scan

import (
	"slices"
	"testing"
)

// TestNonzeroRangesOfBatches compares gradients of stacks that are computed only in their
// nonzero range with gradients that are computed in all cells. Their bits must be the same.
// Some batches have fewer steps than the stacks have cells, and others have more. Gradients
// are truncated in half of the cases. All batches run on one VM, so that memory outside the
// range holds numbers from earlier batches.
func TestNonzeroRangesOfBatches(t *testing.T) {
	batches := [][]int{{1}, {3, 3, 2, 2, 2, 1, 1}, {4, 1}, slices.Repeat([]int{2}, 30), {4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1}}
	for _, c := range deepCells {
		for _, cut := range []int{0, 4} {
			g := training(t, c)
			opts := Options{MaxStrings: 4, MaxRows: 64, MaxSteps: 32, MaxExamples: 64, BPTT: cut, MergeWidth: 1}
			dev := device(t, testISA(), 1)
			bounded, whole := compiled(t, g, dev, opts), unshared(t, g, dev, opts)
			for i, active := range batches {
				p := newProblem(g, active, uint64(i))
				if got, want := outcome(t, bounded, p), outcome(t, whole, p); !slices.Equal(got, want) {
					t.Errorf("%s, cut every %d steps: batch %d of %v has other results than without a nonzero range", c.name, cut, i, active)
				}
			}
		}
	}
}
