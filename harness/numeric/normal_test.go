package numeric

import (
	"math"
	"math/rand/v2"
	"testing"
)

// quantiles holds probabilities p with their quantiles x, computed with 400 digits. It
// includes both ends, both sides of the borders of the three rational functions
// (p = 0.075, 0.925 and e^-25), and tiny x.
var quantiles = [][2]float64{
	{0x1p-1074, -38.46740561714434625078436},
	{0x1p-1022, -37.51937934714449982068239},
	{0x1p-500, -26.16824984111858071894702},
	{0x1p-100, -11.48454043497303780721629},
	{0x1.8ep-37, -6.688002801775236798252692},
	{0x1.8fp-37, -6.687635461687151012666896},
	{0x1p-53, -8.209536151601386855630769},
	{0x1p-33, -6.337957754553789252493251},
	{0x1p-25, -5.419983174916867988405404},
	{0x1p-10, -3.09726907819878446236483},
	{0x1.3333333333332p-4, -1.439531470938456032987641},
	{0x1.3333333333334p-4, -1.439531470938455836911961},
	{0x1p-3, -1.150349380376008178296765},
	{0x1.8p-2, -0.3186393639643751630219485},
	{0x1.fffffffffffffp-2, -1.391458212335883461116962e-16},
	{0x1.0000000000001p-1, 2.782916424671766922233923e-16},
	{0x1.1p-1, 0.07841241273311219853982711},
	{0x1.8p-1, 0.674489750196081743202227},
	{0x1.d99999999999ap-1, 1.43953147093845622906332},
	{0x1.ecp-1, 1.761670410363066989980812},
	{0x1.ffffffffp-1, 6.337957754553789252493251},
	{0x1.fffffffffffffp-1, 8.209536151601386855630769},
}

const quantileBound = 1e-15

func TestNormalQuantile(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range [][2]float64{{0, -inf}, {math.Copysign(0, -1), -inf}, {1, inf}, {0.5, 0}, {nan, nan}, {-0x1p-1074, nan}, {0x1.0000000000001p0, nan}, {inf, nan}} {
		if got := NormalQuantile(c[0]); got != c[1] && !(got != got && c[1] != c[1]) {
			t.Errorf("NormalQuantile(%v) = %v, want %v", c[0], got, c[1])
		}
	}
	var max, at float64
	for _, c := range quantiles {
		if e := math.Abs(NormalQuantile(c[0])/c[1] - 1); e > max {
			max, at = e, c[0]
		}
	}
	t.Logf("worst relative error on the table %.3g at %x", max, at)
	if !(max <= quantileBound) {
		t.Errorf("NormalQuantile(%x) errs by %.3g of its value, want <= %g", at, max, quantileBound)
	}
}

// TestNormalQuantileInverts maps quantiles back to probabilities with math.Erfc,
// whose own error is about one ulp of p.
func TestNormalQuantileInverts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	var max, at float64
	for i := range 200_000 {
		p := rnd.Float64() * 0.49
		if i%2 == 0 {
			p = math.Ldexp(p, -rnd.IntN(500))
		}
		x := NormalQuantile(p)
		if y := NormalQuantile(1 - p); p > 0.01 && y != -NormalQuantile(1-(1-p)) {
			t.Fatalf("NormalQuantile(%x) = %x, not minus that of the other tail", 1-p, y)
		}
		density := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
		dx := (0.5*math.Erfc(-x/math.Sqrt2) - p) / density
		// noise is the error of Erfc, converted to an error of x.
		noise := 0x1p-52 * p / density
		if e := (math.Abs(dx) - noise) / -x; e > max {
			max, at = e, p
		}
	}
	t.Logf("worst relative error beyond the noise %.3g at %v", max, at)
	if !(max <= quantileBound) {
		t.Errorf("NormalQuantile(%v) and Erfc disagree by %.3g of its value, want <= %g", at, max, quantileBound)
	}
}
