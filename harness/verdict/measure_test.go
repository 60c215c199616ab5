package verdict

import (
	"slices"
	"testing"

	"pushdown/harness/golden"
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

// TestPremise checks that draws in which the premise of a claim is false count neither for the
// claim nor against it.
func TestPremise(t *testing.T) {
	right := true
	RegisterMeasure(Measure{
		Claim: "S06", Values: []MeasureValue{{Group: rnnAnBn, Unit: "test-lengths-%"}},
		Holds: func([]float64) bool { return right }, Premise: func(v []float64) bool { return v[0] > 50 },
	})
	t.Cleanup(func() { delete(measures.byClaim, "S06") })
	for _, c := range []struct {
		right  bool
		values []float64
		want   string
	}{
		{true, []float64{60, 70, 80}, "holds draws=10000 true=10000"},
		{false, []float64{60, 70, 80}, "fails draws=10000 true=0"},
		{true, []float64{40, 30, 20}, "undecided draws=10000 true=0 void=10000"},
		{false, []float64{40, 30, 20}, "undecided draws=10000 true=0 void=10000"},
	} {
		right = c.right
		if have := claimed(t, file(golden.Unit{Name: "test-lengths-%", Better: "higher"}, map[golden.Name][]float64{rnnAnBn: c.values}), "S06"); have != c.want {
			t.Errorf("right %v, values %v: have %s, want %s", c.right, c.values, have, c.want)
		}
	}
}
