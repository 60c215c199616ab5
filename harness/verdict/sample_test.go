package verdict

import (
	"math"
	"slices"
	"testing"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
)

func near(have, want, relative float64) bool { return math.Abs(have-want) <= relative*math.Abs(want) }

func TestMoments(t *testing.T) {
	x := []float64{4, 2, 1, 9}
	if m := golden.Mean(x); m != 4 {
		t.Errorf("mean of %v: have %v, want 4", x, m)
	}
	if s, want := Deviation(x), math.Sqrt(38.0/3); !near(s, want, 1e-15) {
		t.Errorf("deviation of %v: have %v, want %v", x, s, want)
	}
	same := []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}
	if m, s := golden.Mean(same), Deviation(same); m != 0.1 || s != 0 {
		t.Errorf("equal values: have mean %v, deviation %v, want 0.1 and 0", m, s)
	}
	if s := Deviation([]float64{3}); s != 0 {
		t.Errorf("deviation of one value: have %v, want 0", s)
	}
}

// TestPredict compares intervals with those from printed quantiles of Student's t.
func TestPredict(t *testing.T) {
	quantile := map[int]float64{3: 4.302652730, 5: 2.776445105, 10: 2.262157163, 31: 2.042272456}
	for _, n := range []int{3, 5, 10, 31} {
		x := make([]float64, n)
		for i := range x {
			x[i] = 10 + float64(i*i%7)
		}
		for _, k := range []int{1, 10} {
			low, high := predict(x, k)
			reach := quantile[n] * Deviation(x) * math.Sqrt(1/float64(k)+1/float64(n))
			if !near(high-golden.Mean(x), reach, 1e-8) || !near(golden.Mean(x)-low, reach, 1e-8) {
				t.Errorf("interval of the mean of %d from %d: have %v to %v, want %v around %v", k, n, low, high, reach, golden.Mean(x))
			}
		}
	}
}

// TestPredictBest compares intervals with the exact distribution. If k values are
// drawn from n, their maximum is at most the i-th smallest of the n with
// probability (i/n)^k.
func TestPredictBest(t *testing.T) {
	x := []float64{7, 1, 4, 9, 3, 8, 2, 6, 5, 10}
	sorted := slices.Sorted(slices.Values(x))
	quantile := func(p float64, k int) float64 {
		for i, v := range sorted {
			if math.Pow(float64(i+1)/float64(len(x)), float64(k)) >= p {
				return v
			}
		}
		return math.NaN()
	}
	for _, k := range []int{2, 4, 10} {
		low, high := predictOf(sample{values: x}, k, figureOf(&papers.Quantity{Best: true, Higher: true}), newResampler("test=best"))
		if low != quantile(0.025, k) || high != quantile(0.975, k) {
			t.Errorf("highest of %d: have %v and %v, want %v and %v", k, low, high, quantile(0.025, k), quantile(0.975, k))
		}
		low, high = predictOf(sample{values: x}, k, figureOf(&papers.Quantity{Best: true}), newResampler("test=best"))
		if low != 11-quantile(0.975, k) || high != 11-quantile(0.025, k) {
			t.Errorf("lowest of %d: have %v to %v, want %v to %v", k, low, high, 11-quantile(0.975, k), 11-quantile(0.025, k))
		}
	}
	for k, want := range map[int]float64{2: quantile(0.5, 2), 4: quantile(0.5, 4), 10: quantile(0.5, 10), 11: 10} { // there are fewer than 11 runs
		if have := valueOf(sample{values: x}, &papers.Quantity{Best: true, Higher: true, Trials: k}); have != want {
			t.Errorf("value of a highest of %d: have %v, want %v", k, have, want)
		}
		if have := valueOf(sample{values: x}, &papers.Quantity{Best: true, Trials: k}); have != 11-want {
			t.Errorf("value of a lowest of %d: have %v, want %v", k, have, 11-want)
		}
	}
}
