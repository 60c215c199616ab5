package verdict

import (
	"slices"
	"testing"
)

// TestPairs checks that Pairs compares the first value of every pair with the
// second.
func TestPairs(t *testing.T) {
	more := Pairs(func(a, b float64) bool { return a > b })
	for _, c := range []struct {
		values []float64
		want   bool
	}{{[]float64{2, 1}, true}, {[]float64{1, 2}, false}, {[]float64{2, 1, 3, 1}, true}, {[]float64{2, 1, 1, 1}, false}, {[]float64{2, 1, 0, 3}, false}} {
		if have := more(c.values); have != c.want {
			t.Errorf("%v: have %v, want %v", c.values, have, c.want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		sample []float64
		want   float64
	}{{[]float64{7}, 7}, {[]float64{3, 1}, 1}, {[]float64{100, 0, 40}, 40}, {[]float64{4, 3, 2, 1}, 2}} {
		before := slices.Clone(c.sample)
		if have := Median(c.sample); have != c.want || !slices.Equal(before, c.sample) {
			t.Errorf("median of %v is %v, want %v and the sample as it was, %v", before, have, c.want, c.sample)
		}
	}
}
