package rng

import (
	"math"
	"testing"
)

// TestBelowIsExactlyUniform checks that exactly floor(2^32/n) words are mapped to each
// value of [0, n). The words whose product with n has the high half v form an interval.
// Rejected words can only be at its start, because the low half increases from word to
// word. So the test looks only at the first words of an interval and at its length.
func TestBelowIsExactlyUniform(t *testing.T) {
	for _, n := range []uint32{1, 2, 3, 4, 5, 6, 7, 10, 100, 641, 65535, 65536, 65537, 1_700_000, 1 << 30, 3 << 30, 1<<31 - 1, 1 << 31, 1<<31 + 1, math.MaxUint32} {
		first := func(v uint64) uint64 { return (v<<32 + uint64(n) - 1) / uint64(n) } // the first word with high half v
		for _, v := range []uint32{0, 1, 2, n / 3, n / 2, n - 2, n - 1} {
			if v >= n {
				continue
			}
			lo, hi := first(uint64(v)), first(uint64(v)+1)
			count := hi - lo
			for w := lo; w < hi; w++ {
				got, ok := below(uint32(w), n)
				if ok && got != v {
					t.Fatalf("n %d: word %#x gives %d, want %d", n, w, got, v)
				}
				if !ok {
					count--
				} else if w > lo {
					break
				}
			}
			if want := uint64(1) << 32 / uint64(n); count != want {
				t.Errorf("n %d: %d words give %d, want %d", n, count, v, want)
			}
		}
	}
}

// TestIntNTakesTheNextAttempt checks that IntN draws a new word whenever a word is
// rejected, and that it returns the result for the first word that is accepted.
func TestIntNTakesTheNextAttempt(t *testing.T) {
	const n = 1<<31 + 1 // rejects nearly half of all words
	s := New(3, "test")
	longest := uint32(0)
	for unit := range uint32(2000) {
		at := At{Unit: unit, Row: 5, Update: 9}
		var want uint32
		for {
			v, ok := below(s.Block(at)[0], n)
			if ok {
				want = v
				break
			}
			at.T++
		}
		longest = max(longest, at.T)
		if got := s.IntN(At{Unit: unit, Row: 5, Update: 9}, n); got != want {
			t.Fatalf("unit %d: got %d, want %d from attempt %d", unit, got, want, at.T)
		}
	}
	if longest < 5 {
		t.Errorf("longest run of refusals is %d: the test did not reach them", longest)
	}
}

func TestMisusePanics(t *testing.T) {
	s := New(1, "test")
	q := s.Seq(0, 0)
	for _, c := range []struct {
		want string
		call func()
	}{
		{"rng: counter word T is 2, want 0: IntN uses it for the attempt", func() { s.IntN(At{T: 2}, 5) }},
		{"rng: IntN below 0, want n of at least 1", func() { s.IntN(At{}, 0) }},
		{"rng: IntN below 0, want n of at least 1", func() { q.IntN(0) }},
	} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("got panic %v, want %q", got, c.want)
				}
			}()
			c.call()
		}()
	}
}

// TestUniformStaysInside checks the bounds of Uniform for ranges in which rounding
// could give a result outside of them.
func TestUniformStaysInside(t *testing.T) {
	s := New(1, "test")
	for _, r := range [][2]float32{{0, 1}, {-1, 1}, {-0.1, 0.1}, {1, 1}, {1, math.Nextafter32(1, 2)}, {-1e-45, 1e-45}, {0.1, 0.7}, {-3e38, 3e37}, {16777216, 16777219}} {
		for unit := range uint32(20000) {
			if u := s.Uniform(At{Unit: unit}, r[0], r[1]); u < r[0] || u > r[1] {
				t.Fatalf("unit %d: %v is outside [%v, %v]", unit, u, r[0], r[1])
			}
		}
	}
}

// moments checks the mean and the variance of a sample against their true values,
// within five standard errors each. With a correct generator, one such check in 1.7
// million fails.
func moments(t *testing.T, name string, n int, draw func(i uint32) float64, mean, variance, fourth float64) {
	t.Helper()
	var sum, squares float64
	for i := range uint32(n) {
		d := draw(i) - mean
		sum += d
		squares += d * d
	}
	if z := sum / math.Sqrt(float64(n)*variance); math.Abs(z) > 5 {
		t.Errorf("%s: mean is off by %.1f standard errors", name, z)
	}
	// The variance of (x-mean)^2 is the fourth central moment minus variance^2.
	if z := (squares - float64(n)*variance) / math.Sqrt(float64(n)*(fourth-variance*variance)); math.Abs(z) > 5 {
		t.Errorf("%s: variance is off by %.1f standard errors", name, z)
	}
}

func TestMoments(t *testing.T) {
	const n = 200_000
	s := New(11, "test")
	at := func(i uint32) At { return At{Unit: i} }
	moments(t, "Uniform", n, func(i uint32) float64 { return float64(s.Uniform(at(i), -1, 1)) }, 0, 1.0/3, 1.0/5)
	moments(t, "Float64", n, func(i uint32) float64 { return s.Float64(at(i)) }, 0.5, 1.0/12, 1.0/80)
	moments(t, "Normal", n, func(i uint32) float64 { return float64(s.Normal(at(i))) }, 0, 1, 3)
	moments(t, "Bernoulli", n, func(i uint32) float64 {
		if s.Bernoulli(at(i), 0.3) {
			return 1
		}
		return 0
	}, 0.3, 0.21, 0.3*math.Pow(0.7, 4)+0.7*math.Pow(0.3, 4))
}

func TestBernoulliAtTheEnds(t *testing.T) {
	s := New(1, "test")
	for unit := range uint32(10000) {
		if s.Bernoulli(At{Unit: unit}, 0) || !s.Bernoulli(At{Unit: unit}, 1) {
			t.Fatalf("unit %d: probability 0 came true or 1 did not", unit)
		}
	}
}

// TestNormalInvertsTheDistribution checks that the distribution function of the normal
// distribution, computed with math.Erfc, maps the result of Normal back to the uniform
// number from which it was computed. The result z is rounded to float32, so its relative
// error is at most 2^-24. The allowed difference is this error of z times the slope of the
// distribution function.
func TestNormalInvertsTheDistribution(t *testing.T) {
	s := New(4, "test")
	for unit := range uint32(20000) {
		at := At{Unit: unit}
		p := (float64(s.Uint32(at)) + 0.5) / (1 << 32)
		z := float64(s.Normal(at))
		phi := math.Erfc(-z/math.Sqrt2) / 2
		slope := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		if bound := slope*math.Abs(z)*0x1p-24 + 1e-15; math.Abs(phi-p) > 1.1*bound {
			t.Fatalf("unit %d: Phi(%v) = %v, want %v within %g", unit, z, phi, p, bound)
		}
	}
}

// TestWordsAgreeWithStreams checks Key, FromKey, Unit and StandardNormal, which
// kernels use to draw many numbers with one key, against the methods of Stream.
func TestWordsAgreeWithStreams(t *testing.T) {
	s := New(12, "test")
	same := FromKey(s.Key())
	if same != s {
		t.Fatalf("FromKey(%08x) is %08x", s.Key(), same)
	}
	for unit := range uint32(1000) {
		at := At{Unit: unit, Row: 1, T: 2, Update: 3}
		word := same.Uint32(at)
		if got, want := Unit(word), s.Uniform(at, 0, 1); got != want {
			t.Fatalf("unit %d: Unit gives %v, Uniform %v", unit, got, want)
		}
		if got, want := StandardNormal(word), s.Normal(at); got != want {
			t.Fatalf("unit %d: StandardNormal gives %v, Normal %v", unit, got, want)
		}
	}
	for _, c := range []struct {
		word   uint32
		unit   float32
		normal float64
	}{{0, 0, -6.337957755}, {math.MaxUint32, 1 - 0x1p-24, 6.337957755}, {1 << 31, 0.5, 0}} {
		if got := Unit(c.word); got != c.unit {
			t.Errorf("Unit(%#x) = %v, want %v", c.word, got, c.unit)
		}
		if got := float64(StandardNormal(c.word)); math.Abs(got-c.normal) > 0x1p-22 { // half an ulp at 6.3
			t.Errorf("StandardNormal(%#x) = %v, want %v", c.word, got, c.normal)
		}
	}
}
