package math

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// The constants of harness/numeric.
const (
	log2e   = 0x1.715476p+0
	ln2Hi   = 0x1.62e43p-1
	ln2Lo   = -0x1.05c61p-29
	round   = 0x1.8p+23
	expMin  = -104
	tanhMin = -20

	signBit = 0x80000000
)

var expQ = [...]float32{0x1.fffffep-2, 0x1.5554b4p-3, 0x1.5556f2p-5, 0x1.12254ap-7, 0x1.6b9c6ep-10}

// bias returns the exponent field of 2^e.
func bias(e int) uint32 { return uint32(127+e) << 23 }

// reduce returns a function that emits code for x = n ln 2 + r and for p, which is
// close to e^r - 1:
//
//	t = fma(x, log2e, round); n = t - round
//	r = fma(n, -ln2Lo, fma(n, -ln2Hi, x))
//	p = fma(r*r, q(r), r)
//
// t << 23 is n in the position of an exponent field. The code clobbers x.
func (l Lane) reduce() func(x Vec) (t, n, p Vec) {
	cLog2e, cRound, cHi, cLo := l.Const(log2e), l.Const(round), l.Const(ln2Hi), l.Const(ln2Lo)
	var c [len(expQ)]Op
	for i, v := range expQ {
		c[i] = l.Const(v)
	}
	return func(x Vec) (t, n, p Vec) {
		t = l.Copy(cRound)
		VFMADD231PS(cLog2e, x, t)
		n = l.Vec()
		VSUBPS(cRound, t, n)
		VFNMADD231PS(cHi, n, x)
		VFNMADD231PS(cLo, n, x)
		p = l.Copy(c[len(c)-1])
		for i := len(c) - 2; i >= 0; i-- {
			VFMADD213PS(c[i], x, p)
		}
		rr := l.Vec()
		VMULPS(x, x, rr)
		VFMADD213PS(x, rr, p)
		return t, n, p
	}
}

// ExpNeg returns a function that emits numeric.Exp for x <= 0 or NaN. The code clobbers
// x.
func (l Lane) ExpNeg() func(x Vec) Vec {
	reduce := l.reduce()
	lo, one := l.Reg(expMin), l.Const(1)
	if l.Wide() {
		return func(x Vec) Vec {
			VMAXPS(x, lo, x)
			_, n, p := reduce(x)
			VADDPS(one, p, p)
			VSCALEFPS(n, p, p)
			return p
		}
	}
	first, then := l.ConstBits(bias(64)), l.Const(0x1p-64)
	return func(x Vec) Vec {
		VMAXPS(x, lo, x)
		t, _, p := reduce(x)
		VADDPS(one, p, p)
		VPSLLD(U8(23), t, t)
		VPADDD(first, t, t)
		VMULPS(t, p, p)
		VMULPS(then, p, p)
		return p
	}
}

// Sigmoid returns a function that emits numeric.Sigmoid: (x < 0 ? z : 1) / (1 + z),
// where z = Exp(-|x|).
func (l Lane) Sigmoid() func(x Vec) Vec {
	exp := l.ExpNeg()
	sign, one := l.ConstBits(signBit), l.Reg(1)
	return func(x Vec) Vec {
		y := l.Vec()
		VORPS(sign, x, y)
		z := exp(y)
		num := l.BySign(x, z, one)
		VADDPS(one, z, z)
		VDIVPS(z, num, num)
		return num
	}
}

// Tanh returns a function that emits numeric.Tanh: d / (d + 2) with the sign of x,
// where d = fma(2^n, p, 2^n-1). n and p are those of reduce for -2|x|.
func (l Lane) Tanh() func(x Vec) Vec {
	reduce := l.reduce()
	lo, sign, rest := l.Reg(tanhMin), l.ConstBits(signBit), l.ConstBits(^uint32(signBit))
	one, oneBits, two := l.Const(1), l.ConstBits(bias(0)), l.Const(2)
	return func(x Vec) Vec {
		y := l.Vec()
		VORPS(sign, x, y)
		VADDPS(y, y, y)
		VMAXPS(y, lo, y)
		s, _, p := reduce(y)
		VPSLLD(U8(23), s, s)
		VPADDD(oneBits, s, s)
		less := l.Vec()
		VSUBPS(one, s, less)
		VFMADD213PS(less, s, p)
		VADDPS(two, p, less)
		VDIVPS(less, p, p)
		VANDPS(rest, p, p)
		bits := l.Vec()
		VANDPS(sign, x, bits)
		VORPS(bits, p, p)
		return p
	}
}
