package numeric

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

const bigPrec = 160

// bigExp returns e^x: it sums the Taylor series at x/2^k and squares the sum k times.
func bigExp(x float64) *big.Float {
	b := func(v float64) *big.Float { return new(big.Float).SetPrec(bigPrec).SetFloat64(v) }
	_, k := math.Frexp(x)
	k = max(k+8, 0)
	r := b(x)
	r.SetMantExp(r, -k)
	sum, term := b(1), b(1)
	for i := 1; i < 40; i++ {
		term.Mul(term, r)
		term.Quo(term, b(float64(i)))
		sum.Add(sum, term)
	}
	for range k {
		sum.Mul(sum, sum)
	}
	return sum
}

func exp64Ulps(x float64) float64 {
	want, got := bigExp(x), Exp64(x)
	near, _ := want.Float64()
	if math.IsInf(got, 0) || math.IsInf(near, 0) {
		if got == near {
			return 0
		}
		return math.Inf(1)
	}
	_, e := math.Frexp(near)
	d := new(big.Float).SetPrec(bigPrec).SetFloat64(got)
	d.Sub(d, want)
	d.SetMantExp(d, 52-max(e-1, -1022))
	u, _ := d.Float64()
	return math.Abs(u)
}

// log64Ulps returns the error of y = Log64(x) in ulp. The error log(x) - y equals
// log1p(x/e^y - 1), which is close to x/e^y - 1.
func log64Ulps(x float64) float64 {
	y := Log64(x)
	d := bigExp(y)
	d.Quo(new(big.Float).SetPrec(bigPrec).SetFloat64(x), d)
	d.Sub(d, big.NewFloat(1))
	if y == 0 {
		if d.Sign() == 0 {
			return 0
		}
		return math.Inf(1)
	}
	_, e := math.Frexp(y)
	d.SetMantExp(d, 53-e)
	u, _ := d.Float64()
	return math.Abs(u)
}

func TestExp64(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range [][2]float64{{nan, nan}, {inf, inf}, {-inf, 0}, {0, 1}, {math.Copysign(0, -1), 1}, {709.79, inf}, {1e300, inf}, {-1e300, 0}, {-745.2, 0}, {-745.1, 5e-324}, {5e-324, 1}} {
		if got := Exp64(c[0]); got != c[1] && !(got != got && c[1] != c[1]) {
			t.Errorf("Exp64(%v) = %v, want %v", c[0], got, c[1])
		}
	}
	hard := []float64{709.782712893384, 709.7827128933841, -708.3964185322641, -744.4400719213812, -745.1332191019411, 0.34657359027997264, -0.34657359027997264, 1.0397207708399179, 1e-300, 1, -1}
	rnd := rand.New(rand.NewPCG(5, 6))
	for i := range 20_000 {
		switch i % 4 {
		case 0:
			hard = append(hard, rnd.Float64()*1455-745)
		case 1:
			hard = append(hard, rnd.Float64()*40-20)
		case 2:
			hard = append(hard, rnd.Float64()*2-1)
		case 3:
			hard = append(hard, math.Ldexp(rnd.Float64()-0.5, -rnd.IntN(60)))
		}
	}
	var max, at float64
	for _, x := range hard {
		if u := exp64Ulps(x); u > max {
			max, at = u, x
		}
	}
	t.Logf("worst error %.4f ulp at %v", max, at)
	if !(max <= 1) {
		t.Errorf("Exp64(%v) errs by %.4f ulp, want <= 1", at, max)
	}
}

func TestLog64(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range [][2]float64{{nan, nan}, {inf, inf}, {-inf, nan}, {-1, nan}, {-5e-324, nan}, {0, -inf}, {math.Copysign(0, -1), -inf}} {
		if got := Log64(c[0]); got != c[1] && !(got != got && c[1] != c[1]) {
			t.Errorf("Log64(%v) = %v, want %v", c[0], got, c[1])
		}
	}
	if got := math.Float64bits(Log64(1)); got != 0 {
		t.Errorf("Log64(1) has bits %#x, want those of +0", got)
	}
	hard := []float64{0x1.6a09e667f3bccp-1, 0x1.6a09e667f3bcdp-1, 0x1.6a09e667f3bcep-1, 0x1.6a09e667f3bcdp0, 0x1.fffffffffffffp-1, 0x1.0000000000001p0, 5e-324, 0x1p-1022, 0x0.fffffffffffffp-1022, math.MaxFloat64}
	rnd := rand.New(rand.NewPCG(7, 8))
	for i := range 20_000 {
		switch i % 4 {
		case 0:
			hard = append(hard, math.Float64frombits(rnd.Uint64()>>1%0x7ff0000000000000))
		case 1:
			hard = append(hard, rnd.Float64())
		case 2:
			hard = append(hard, 1+math.Ldexp(rnd.Float64()-0.5, -rnd.IntN(50)))
		case 3:
			hard = append(hard, 0.5+2*rnd.Float64())
		}
	}
	var max, at float64
	for _, x := range hard {
		if u := log64Ulps(x); u > max {
			max, at = u, x
		}
	}
	t.Logf("worst error %.4f ulp at %v", max, at)
	if !(max <= 1) {
		t.Errorf("Log64(%v) errs by %.4f ulp, want <= 1", at, max)
	}
}

// TestBits64 pins a hash of results of the float64 functions.
func TestBits64(t *testing.T) {
	const want = uint64(0xce3dd9bbee938947)
	h := uint64(14695981039346656037)
	mix := func(y float64) { h = (h ^ math.Float64bits(y)) * 1099511628211 }
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 20_000 {
		u := rnd.Float64()
		mix(Exp64(float64(1400*u) - 700))
		mix(Log64(1400 * u))
		mix(NormalQuantile(u))
	}
	if h != want {
		t.Errorf("the results hash to %#x, want %#x", h, want)
	}
}

func BenchmarkFloat64(b *testing.B) {
	for _, fn := range []struct {
		name string
		f    func(float64) float64
	}{{"Exp64", Exp64}, {"Log64", Log64}, {"NormalQuantile", NormalQuantile}} {
		b.Run("func="+fn.name, func(b *testing.B) {
			x := 0.01
			for b.Loop() {
				sink64 = fn.f(x)
			}
		})
	}
}

var sink64 float64
