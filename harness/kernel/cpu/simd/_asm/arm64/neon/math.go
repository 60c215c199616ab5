package neon

import "math"

// The constants of harness/numeric.
const (
	log2e   = 0x1.715476p+0
	ln2Hi   = 0x1.62e43p-1
	ln2Lo   = -0x1.05c61p-29
	round   = 0x1.8p+23
	expMin  = -104
	tanhMin = -20

	signBit = 1 << 31
)

var expQ = [...]float32{0x1.fffffep-2, 0x1.5554b4p-3, 0x1.5556f2p-5, 0x1.12254ap-7, 0x1.6b9c6ep-10}

// bias returns the exponent field of 2^e.
func bias(e int) uint32 { return uint32(127+e) << 23 }

// Number returns a new register that holds x in every lane.
func Number(x float32) V { return Const(math.Float32bits(x)) }

// Numbers returns a new register for each number.
func Numbers(list []float32) []V {
	v := make([]V, len(list))
	for i, x := range list {
		v[i] = Number(x)
	}
	return v
}

// Horner returns a new register for the polynomial in x with the coefficients c, lowest
// first. Each step is an FMA.
func Horner(x V, c []V) V {
	sum, other := New(), New()
	Copy(sum, c[len(c)-2])
	FMla(sum, c[len(c)-1], x)
	for i := len(c) - 3; i >= 0; i-- {
		Copy(other, c[i])
		FMla(other, sum, x)
		sum, other = other, sum
	}
	return sum
}

// reduce returns a function that emits code for x = n ln 2 + r and for p, which is close
// to e^r - 1:
//
//	t = fma(x, log2e, round); n = t - round
//	r = fma(n, -ln2Lo, fma(n, -ln2Hi, x))
//	p = fma(r*r, q(r), r)
//
// t << 23 is n in the position of an exponent field. p replaces x.
func reduce() func(x V) (t V) {
	c := Numbers([]float32{log2e, round, ln2Hi, ln2Lo})
	q := Numbers(expQ[:])
	return func(x V) V {
		t := New()
		Scope(func() {
			n := New()
			Copy(t, c[1])
			FMla(t, x, c[0])
			FSub(n, t, c[1])
			FMls(x, n, c[2])
			FMls(x, n, c[3])
			sum := Horner(x, q)
			FMul(n, x, x)
			FMla(x, n, sum)
		})
		return t
	}
}

// ExpNeg returns a function that emits numeric.Exp for x <= 0 or NaN. The result replaces
// x.
func ExpNeg() func(x V) {
	reduce := reduce()
	lo, one := Number(expMin), Number(1)
	first, then := Const(bias(64)), Number(0x1p-64)
	return func(x V) {
		FMax(x, x, lo)
		Scope(func() {
			t := reduce(x)
			FAdd(x, x, one)
			Shl(t, t, 23)
			Add(t, t, first)
			FMul(x, x, t)
			FMul(x, x, then)
		})
	}
}

// Sigmoid returns a function that emits numeric.Sigmoid: (x < 0 ? z : 1) / (1 + z), where
// z = Exp(-|x|). The result replaces x.
func Sigmoid() func(x V) {
	exp := ExpNeg()
	sign, one := Const(signBit), Number(1)
	return func(x V) {
		Scope(func() {
			z := New()
			Orr(z, x, sign)
			exp(z)
			SShr(x, x, 31)
			Bsl(x, z, one)
			FAdd(z, z, one)
			FDiv(x, x, z)
		})
	}
}

// Tanh returns a function that emits numeric.Tanh: d / (d + 2) with the sign of x, where
// d = fma(2^n, p, 2^n-1). n and p are those of reduce for -2|x|. The result replaces x.
func Tanh() func(x V) {
	reduce := reduce()
	lo, sign, one, two := Number(tanhMin), Const(signBit), Number(1), Number(2)
	return func(x V) {
		Scope(func() {
			p, d := New(), New()
			Orr(p, x, sign)
			FAdd(p, p, p)
			FMax(p, p, lo)
			t := reduce(p)
			Shl(t, t, 23)
			Add(t, t, one) // the bits of 1 are the exponent field of 2^0
			FSub(d, t, one)
			FMla(d, t, p)
			FAdd(p, d, two)
			FDiv(d, d, p)
			Bif(x, d, sign)
		})
	}
}
