package numeric

import "math"

// The reduction shared by Exp, Tanh and Sigmoid: see the package comment.
const (
	log2e = 0x1.715476p+0
	ln2Hi = 0x1.62e43p-1   // ln 2 rounded to float32
	ln2Lo = -0x1.05c61p-29 // ln 2 - ln2Hi
	round = 0x1.8p+23      // adding it rounds to an integer in the low bits

	expQ0 = 0x1.fffffep-2
	expQ1 = 0x1.5554b4p-3
	expQ2 = 0x1.5556f2p-5
	expQ3 = 0x1.12254ap-7
	expQ4 = 0x1.6b9c6ep-10

	expMin = -104 // e^x < 2^-150: rounds to zero
	expMax = 89   // e^x > 2^128: rounds to infinity
)

// Exp returns e^x, within 1.04 ulp.
//
//	Exp(NaN) = NaN, Exp(+Inf) = +Inf, Exp(-Inf) = 0, Exp(±0) = 1
//
// The result is +Inf above 88.72284 and 0 below -103.97208. It is subnormal where the
// exact value is.
func Exp(x float32) float32 {
	// These comparisons let NaN pass.
	if x < expMin {
		x = expMin
	}
	if x > expMax {
		x = expMax
	}
	n, p := expReduce(x)
	// The product is exact in float64, so only the conversion to float32 rounds it,
	// even if the result is subnormal.
	return float32(float64(1+p) * pow2(n))
}

// expReduce returns n and p such that e^x is close to (1+p) 2^n. x must be within
// [expMin, expMax] or NaN.
func expReduce(x float32) (n int32, p float32) {
	t := FMA(x, log2e, round)
	k := t - round
	r := FMA(k, -ln2Hi, x)
	r = FMA(k, -ln2Lo, r)
	q := FMA(expQ4, r, expQ3)
	q = FMA(q, r, expQ2)
	q = FMA(q, r, expQ1)
	q = FMA(q, r, expQ0)
	p = FMA(float32(r*r), q, r)
	return int32(math.Float32bits(t)) - 0x4b400000, p
}

// pow2 returns 2^n for an n returned by expReduce. If x was NaN, n and the result are
// arbitrary. That does not matter, because p is NaN and so is the product with p.
func pow2(n int32) float64 {
	return math.Float64frombits(uint64(1023+n) & 0x7ff << 52)
}
