package verdict

import (
	"math"
	"testing"
)

func TestPermutation(t *testing.T) {
	long := make([]float64, 30)
	for i := range long {
		long[i] = float64(i % 3)
	}
	for _, c := range []struct {
		a, b     []float64
		low, top float64 // of the share; -1 if there is none
	}{
		{[]float64{1, 2, 3}, []float64{4, 5, 6}, -1, -1},                   // the least share is 2 of 20
		{[]float64{1, 2, 3, 4}, []float64{5, 6, 7, 8}, 2.0 / 70, 2.0 / 70}, // the two divisions that part low from high
		{[]float64{5, 6, 7, 8}, []float64{1, 2, 3, 4}, 2.0 / 70, 2.0 / 70}, // either group may be the higher one
		{[]float64{0.1, 0.2, 0.3, 0.4, 0.5}, []float64{0.6, 0.7, 0.8, 0.9, 1}, 2.0 / 252, 2.0 / 252},
		{[]float64{100, 100, 100, 100}, []float64{100, 100, 100}, 1, 1},                            // the same everywhere
		{[]float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, []float64{1}, -1, -1}, // the least share is 1 of 20
		{[]float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, []float64{1}, 1.0 / 21, 1.0 / 21},
		{[]float64{0, 0, 0}, []float64{1, 1}, -1, -1}, // 10 divisions decide nothing
		{nil, []float64{1, 2, 3, 4, 5, 6, 7, 8}, -1, -1},
		{long, long, 1, 1}, // too many divisions: drawn
		{long, append([]float64{9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, long[:5]...), 1e-9, 0.001}, // never 0
	} {
		share, ok := permutation(c.a, c.b)
		if !ok {
			share = -1
		}
		if share < c.low-1e-12 || share > c.top+1e-12 || math.IsNaN(share) {
			t.Errorf("%v and %v: have %v, want %v to %v", c.a, c.b, share, c.low, c.top)
		}
	}
}
