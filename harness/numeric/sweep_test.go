package numeric

import (
	"flag"
	"math"
	"runtime"
	"sync"
	"testing"

	"pushdown/harness/argument"
)

var exhaustive = flag.Bool("exhaustive", false, "measure the ulp bounds over all 2^32 arguments")

func TestMain(m *testing.M) { argument.Main(m) }

// ulps returns the error of got in units in the last place of the exact result. ref
// is that result in float64, whose error is less than 2^-28 of such a unit.
func ulps(got float32, ref float64) float64 {
	switch {
	case got != got || ref != ref:
		if got != got && ref != ref {
			return 0
		}
		return math.Inf(1)
	case math.IsInf(float64(got), 0):
		if math.Abs(ref) >= 0x1.ffffffp127 && math.Signbit(ref) == math.Signbit(float64(got)) {
			return 0
		}
		// got is infinite, but the exact result is not rounded to this infinity.
		// Measure the error as if got were 2^128, one step past the largest finite
		// number.
		return math.Abs(math.Copysign(0x1p128, float64(got))-ref) * 0x1p-104
	case math.IsInf(ref, 0):
		return math.Inf(1)
	}
	_, e := math.Frexp(ref)
	ulp := math.Ldexp(1, max(e-1, -126)-23)
	return math.Abs(float64(got)-ref) / ulp
}

type worst struct {
	ulps float64
	at   float32
}

// sweep measures f against ref on every step-th bit pattern, in parallel.
func sweep(step uint64, f func(float32) float32, ref func(float64) float64) worst {
	workers := runtime.GOMAXPROCS(0)
	found := make([]worst, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for bits := uint64(w) * step; bits < 1<<32; bits += step * uint64(workers) {
				x := math.Float32frombits(uint32(bits))
				if u := ulps(f(x), ref(float64(x))); u > found[w].ulps {
					found[w] = worst{u, x}
				}
			}
		})
	}
	wg.Wait()
	var max worst
	for _, f := range found {
		if f.ulps > max.ulps {
			max = f
		}
	}
	return max
}

func sigmoid64(x float64) float64 {
	z := math.Exp(-math.Abs(x))
	if x < 0 {
		return z / (1 + z)
	}
	return 1 / (1 + z)
}

var functions = []struct {
	name  string
	f     func(float32) float32
	ref   func(float64) float64
	bound float64   // as stated in the function's comment, measured by -exhaustive
	hard  []float32 // difficult arguments, the one with the largest error first
}{
	{"Exp", Exp, math.Exp, 1.04, []float32{0x1.2e36ap+05, 88.72283, 88.72284, 88.7229, -87.33654, -87.33655, -103.27892, -103.27893, -103.97207, -103.97208, -103.9721, 0.34657359, -0.34657359}},
	{"Log", Log, math.Log, 0.94, []float32{0x1.4574e2p-01, 0x1.555554p-1, 0x1.555556p-1, 0x1.555554p0, 0x1.555556p0, 0x1.fffffep-1, 0x1.000002p0, 0x1p-126, 0x1.fffffcp-127}},
	{"Tanh", Tanh, math.Tanh, 2.5, []float32{0x1.205368p+02, 9.010913, 9.010914, 9.02, 10, 20, 0.17328680, 0.5493061}},
	{"Sigmoid", Sigmoid, sigmoid64, 2.41, []float32{-0x1.0a111ap+02, -88.72283, -103.9721, -104, 16.6, 17.4, 17.5, 88.8, 104}},
}

func TestErrorBounds(t *testing.T) {
	step := uint64(1021) // odd, so that every exponent meets many different fractions
	if testing.Short() {
		step = 16381
	}
	if *exhaustive {
		step = 1
	}
	for _, fn := range functions {
		t.Run(fn.name, func(t *testing.T) {
			w := sweep(step, fn.f, fn.ref)
			for _, x := range append(edges, fn.hard...) {
				for _, y := range []float32{x, -x} {
					for range 200 { // y and its neighbors toward 0
						if u := ulps(fn.f(y), fn.ref(float64(y))); u > w.ulps {
							w = worst{u, y}
						}
						y = math.Nextafter32(y, 0)
					}
				}
			}
			t.Logf("%s: worst error %.4f ulp at %x", fn.name, w.ulps, w.at)
			if !(w.ulps <= fn.bound) {
				t.Errorf("%s(%x) errs by %.4f ulp, want <= %v", fn.name, w.at, w.ulps, fn.bound)
			}
		})
	}
}

func TestSpecialValues(t *testing.T) {
	inf, nan, zero := float32(math.Inf(1)), float32(math.NaN()), float32(0)
	for _, c := range []struct {
		name      string
		f         func(float32) float32
		arg, want float32
	}{
		{"Exp", Exp, nan, nan}, {"Exp", Exp, inf, inf}, {"Exp", Exp, -inf, 0}, {"Exp", Exp, zero, 1}, {"Exp", Exp, -zero, 1},
		{"Exp", Exp, 0x1.fffffep127, inf}, {"Exp", Exp, -0x1.fffffep127, 0}, {"Exp", Exp, 88.8, inf}, {"Exp", Exp, -104.1, 0},
		{"Exp", Exp, -103.97, 0x1p-149}, {"Exp", Exp, 0x1p-149, 1},
		{"Log", Log, nan, nan}, {"Log", Log, inf, inf}, {"Log", Log, -inf, nan}, {"Log", Log, zero, -inf}, {"Log", Log, -zero, -inf},
		{"Log", Log, -1, nan}, {"Log", Log, -0x1p-149, nan}, {"Log", Log, 1, 0}, {"Log", Log, 0x1p-149, -103.27893},
		{"Tanh", Tanh, nan, nan}, {"Tanh", Tanh, inf, 1}, {"Tanh", Tanh, -inf, -1}, {"Tanh", Tanh, zero, zero}, {"Tanh", Tanh, -zero, -zero},
		{"Tanh", Tanh, 0x1p-149, 0x1p-149}, {"Tanh", Tanh, -0x1.4p-140, -0x1.4p-140}, {"Tanh", Tanh, 9.02, 1}, {"Tanh", Tanh, -0x1.fffffep127, -1},
		{"Sigmoid", Sigmoid, nan, nan}, {"Sigmoid", Sigmoid, inf, 1}, {"Sigmoid", Sigmoid, -inf, 0}, {"Sigmoid", Sigmoid, zero, 0.5}, {"Sigmoid", Sigmoid, -zero, 0.5},
		{"Sigmoid", Sigmoid, -103.97, 0x1p-149}, {"Sigmoid", Sigmoid, 18, 1}, {"Sigmoid", Sigmoid, -200, 0},
	} {
		if got := c.f(c.arg); !same(got, c.want) {
			t.Errorf("%s(%x) = %x, want %x", c.name, c.arg, got, c.want)
		}
	}
}

// TestBits pins a hash of results. A change here changes every digest of the project
// and needs a new version of the numeric contract.
func TestBits(t *testing.T) {
	const want = uint64(0x9c18b74332555503)
	h := uint64(14695981039346656037)
	for bits := uint64(0); bits < 1<<32; bits += 65521 {
		x := math.Float32frombits(uint32(bits))
		for _, fn := range functions {
			y := fn.f(x)
			if y != y {
				y = 0
			}
			h = (h ^ uint64(math.Float32bits(y))) * 1099511628211
		}
	}
	if h != want {
		t.Errorf("the results hash to %#x, want %#x", h, want)
	}
}

func BenchmarkElement(b *testing.B) {
	for _, fn := range functions {
		b.Run("func="+fn.name, func(b *testing.B) {
			x := float32(0.5)
			for b.Loop() {
				sink = fn.f(x)
			}
		})
	}
}
