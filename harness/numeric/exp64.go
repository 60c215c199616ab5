package numeric

import "math"

const (
	log2e64 = 0x1.71547652b82fep+0
	ln2Hi64 = 0x1.62e42fefp-1 // 33 bits, so its product with an exponent is exact
	ln2Lo64 = 0x1.473de6af278edp-34
)

// taylor holds 1/k! for k = 14, 13 ... 2.
var taylor = [...]float64{
	1. / 87178291200, 1. / 6227020800, 1. / 479001600, 1. / 39916800, 1. / 3628800, 1. / 362880,
	1. / 40320, 1. / 5040, 1. / 720, 1. / 120, 1. / 24, 1. / 6, 1. / 2,
}

// Exp64 returns e^x in float64, within 1 ulp. It is used for perplexities and bits
// per character.
//
//	Exp64(NaN) = NaN, Exp64(+Inf) = +Inf, Exp64(-Inf) = 0, Exp64(±0) = 1
//
// Exp64 writes x as n ln 2 + r, like Exp, and computes e^r as 1 + r + r^2 q(r). Here q
// is the Taylor series up to r^12. The omitted terms change e^r by less than 2^-63.
func Exp64(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	n := math.RoundToEven(float64(x * log2e64))
	r := math.FMA(n, -ln2Lo64, math.FMA(n, -ln2Hi64, x))
	q := taylor[0]
	for _, c := range taylor[1:] {
		q = math.FMA(q, r, c)
	}
	y := 1 + math.FMA(float64(r*r), q, r)
	// Multiply by 2^n in two steps, by 2^a and 2^b with a + b = n, because 2^n may be
	// outside the range of normal numbers. The first product is exact, so only the second
	// one rounds.
	a := int64(n) >> 1
	b := int64(n) - a
	return y * math.Float64frombits(uint64(1023+a)<<52) * math.Float64frombits(uint64(1023+b)<<52)
}
