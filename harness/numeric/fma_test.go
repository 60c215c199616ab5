package numeric

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// bigFMA is the definition of FMA: the exact a*b + c, rounded once by math/big.
func bigFMA(a, b, c float32) float32 {
	x, y, z := float64(a), float64(b), float64(c)
	p := x * y // exact; also correct if something is infinite or NaN
	if math.IsInf(p, 0) || math.IsNaN(p) || math.IsInf(z, 0) || math.IsNaN(z) || p == 0 {
		return float32(p + z) // if p is zero: c, or a zero with the sign required by IEEE 754
	}
	sum := new(big.Float).SetPrec(1000).SetFloat64(p)
	sum.Add(sum, new(big.Float).SetFloat64(z))
	if sum.Sign() == 0 {
		return 0 // cancellation gives +0 when rounding to nearest
	}
	f, _ := sum.Float32()
	return f
}

func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// checkFMA compares FMA, and the functions that inline it, with bigFMA.
func checkFMA(t *testing.T, a, b, c float32) {
	t.Helper()
	want := bigFMA(a, b, c)
	if got := FMA(a, b, c); !same(got, want) {
		t.Errorf("FMA(%x, %x, %x) = %x, want %x", a, b, c, got, want)
	}
	if got := float32(roundToOdd(a, b, c)); !same(got, want) {
		t.Errorf("float32(roundToOdd(%x, %x, %x)) = %x, want %x", a, b, c, got, want)
	}
	x, y, dst := [1]float32{a}, [1]float32{b}, [1]float32{c}
	if AddProducts(dst[:], x[:], y[:]); !same(dst[0], want) {
		t.Errorf("AddProducts adds %x times %x to %x and gives %x, want %x", a, b, c, dst[0], want)
	}
	dst[0] = c
	if AddScaled(dst[:], y[:], a); !same(dst[0], want) {
		t.Errorf("AddScaled adds %x times %x to %x and gives %x, want %x", a, b, c, dst[0], want)
	}
}

// TestFMAOfAProduct calls FMA(a, b, x*y). The compiler must fuse a*b with the addition, and
// not x*y, which is rounded before it is added.
func TestFMAOfAProduct(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 10_000 {
		a, b, x, y := rnd.Float32(), rnd.Float32(), rnd.Float32(), rnd.Float32()
		rounded := float32(x * y)
		if got, want := FMA(a, b, x*y), bigFMA(a, b, rounded); !same(got, want) {
			t.Fatalf("FMA(%x, %x, %x * %x) = %x, want %x", a, b, x, y, got, want)
		}
	}
}

// TestSlices compares AddProducts, AddScaled, SumOfTwoProducts and Dot with the loops
// in their comments.
func TestSlices(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	draw := func(n int) []float32 {
		list := make([]float32, n)
		for i := range list {
			if list[i] = edges[rnd.IntN(len(edges))]; rnd.IntN(2) == 0 {
				list[i] = rnd.Float32() - 0.5
			}
		}
		return list
	}
	for n := range 70 {
		x, y, dst := draw(3*n), draw(3*n), draw(n)
		products, scaled, two := make([]float32, n), make([]float32, n), make([]float32, n)
		var sum, strided float32
		for i := range n {
			products[i], scaled[i] = bigFMA(x[i], y[i], dst[i]), bigFMA(0.3, x[i], dst[i])
			two[i] = bigFMA(x[i+n], y[i+n], x[i]*y[i])
			sum, strided = bigFMA(x[i], y[i], sum), bigFMA(x[3*i], y[2*i], strided)
		}
		a, b, c := slices.Clone(dst), slices.Clone(dst), slices.Clone(dst)
		AddProducts(a, x, y)
		AddScaled(b, x, 0.3)
		SumOfTwoProducts(c, x, y, x[n:], y[n:])
		if !slices.EqualFunc(a, products, same) || !slices.EqualFunc(b, scaled, same) || !slices.EqualFunc(c, two, same) {
			t.Errorf("n = %d: have products %x, scaled %x and of two %x, want %x, %x and %x", n, a, b, c, products, scaled, two)
		}
		if have := Dot(x, y, 1, 1, n); !same(have, sum) {
			t.Errorf("n = %d: have a sum of %x, want %x", n, have, sum)
		}
		if have := Dot(x, y, 3, 2, n); !same(have, strided) {
			t.Errorf("n = %d: have a sum by strides of %x, want %x", n, have, strided)
		}
	}
}

var edges = []float32{
	0, 1, 0x1.000002p0, 0x1.fffffep-1, 0x1.fffffep0, 2, 3, 0.1, 1. / 3,
	0x1p-24, 0x1p-25, 0x1.000002p-24, 0x1.000002p-25, 0x1p-23, 0x1p-12, 0x1.000002p-12, 0x1p12, 0x1p24, 0x1.000002p24,
	0x1p-149, 0x1p-148, 0x1.8p-148, 0x1p-127, 0x1.fffffcp-127, 0x1p-126, 0x1.000002p-126, 0x1p-125,
	0x1p-75, 0x1.000002p-75, 0x1p-74, 0x1.8p-75, 0x1p-102, 0x1p-63,
	0x1p63, 0x1p64, 0x1p127, 0x1.fffffep127, 0x1.fffffep126, 0x1p103, 0x1p102, 0x1.fffffep63,
	float32(math.Inf(1)), float32(math.NaN()),
}

func TestFMAEdges(t *testing.T) {
	signs := []float32{1, -1}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				for _, s := range signs {
					checkFMA(t, a, b, s*c)
					checkFMA(t, -a, b, s*c)
				}
			}
		}
	}
}

// TestFMADoubleRounding tests sums so close to the midpoint between two float32
// values that float64 cannot represent the difference. A wrong implementation passed
// 50 million random draws and failed here.
func TestFMADoubleRounding(t *testing.T) {
	if got := FMA(0x1.000002p0, 0x1.000002p-24, 1); got != 0x1.000002p0 {
		t.Errorf("1 + 2^-24 + something = %x, want it rounded up", got)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		// The exact sum is c plus half a unit in its last place, or slightly more or less.
		e := rnd.IntN(250) - 125
		c := float32(math.Ldexp(float64(1<<23+rnd.IntN(1<<23)), e-23))
		half := math.Ldexp(1, e-24)
		d := 1 + rnd.IntN(60)
		a := float32(1 + float64(rnd.IntN(3)-1)*math.Ldexp(1, -rnd.IntN(24)))
		b := float32(half * (1 + float64(rnd.IntN(3)-1)*math.Ldexp(1, -min(d, 23))))
		if rnd.IntN(2) == 0 {
			c = -c
		}
		checkFMA(t, a, b, c)
	}
}

func TestFMARandom(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	n := 1_000_000
	if testing.Short() {
		n = 100_000
	}
	for i := range n {
		a, b, c := rnd.Uint32(), rnd.Uint32(), rnd.Uint32()
		if i%2 == 0 { // bring the addend close to the product, often canceling it
			e := (a>>23&255 + b>>23&255 + uint32(rnd.IntN(60))) - 127 - 30
			c = c&0x807fffff | e&255<<23
		}
		checkFMA(t, math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c))
	}
}

func BenchmarkFMA(b *testing.B) {
	x := float32(0.5)
	for b.Loop() {
		x = FMA(x, 0.7, 0.3)
	}
	sink = x
}

var sink float32
