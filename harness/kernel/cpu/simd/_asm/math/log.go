package math

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

const (
	twoThirds = 0x3f2aaaab
	infinity  = 0x7f800000
	minusInf  = 0xff800000
	nan       = 0x7fc00000
)

var logQ = [...]float32{
	-0.5, 0x1.555506p-2, -0x1.fffef8p-3, 0x1.99d05cp-3, -0x1.559c88p-3,
	0x1.1ed452p-3, -0x1.f332dp-4, 0x1.1e72ap-3, -0x1.07beep-3,
}

// Log returns a function that emits numeric.Log:
//
//	x = m 2^e with m in [2/3, 4/3), f = m - 1
//	fma(e, ln2, fma(f*f, q(f), f))
//
// and then sets the special values by masks. The code does not modify x.
func (l Lane) Log() func(x Vec) Vec {
	var c [len(logQ)]Op
	for i, v := range logQ {
		c[i] = l.Const(v)
	}
	minNormal, up, down := l.Const(0x1p-126), l.Const(0x1p+23), l.Const(-23)
	low, top, one, ln2 := l.ConstBits(twoThirds), l.ConstBits(minusInf), l.Const(1), l.Const(ln2Hi)
	inf := l.ConstBits(infinity)
	zero := l.Zero()
	return func(x Vec) Vec {
		// Multiply subnormals by 2^23.
		small := l.Compare(LT, x, minNormal)
		m, e := l.Vec(), l.Vec()
		VMULPS(up, x, m)
		m = l.Choose(&small, m, x)
		if l.Wide() {
			VMOVUPS_Z(down, small.k, e)
		} else {
			VANDPS(down, small.v, e)
		}
		bits, exp := l.Vec(), l.Vec()
		VPSUBD(low, m, bits)
		VPSRAD(U8(23), bits, exp)
		VCVTDQ2PS(exp, exp)
		VADDPS(exp, e, e)
		VANDPS(top, bits, bits)
		VPSUBD(bits, m, m)
		VSUBPS(one, m, m) // f
		q := l.Copy(c[len(c)-1])
		for i := len(c) - 2; i >= 0; i-- {
			VFMADD213PS(c[i], m, q)
		}
		ff := l.Vec()
		VMULPS(m, m, ff)
		VFMADD213PS(m, ff, q)
		VFMADD231PS(ln2, e, q)
		// The result is NaN if x < 0 or x is NaN, +Inf if x is +Inf, and -Inf if x is
		// zero.
		isInf := l.Compare(EQ, x, inf)
		q = l.Choose(&isInf, x, q)
		bad := l.Compare(NGE, x, zero)
		isZero := l.Compare(EQ, x, zero)
		if l.Wide() {
			VBROADCASTSS(DataBits(nan), bad.k, q)
			VBROADCASTSS(DataBits(minusInf), isZero.k, q)
		} else {
			VORPS(bad.v, q, q) // all ones is a NaN
			VBLENDVPS(isZero.v, DataBits(minusInf), q, q)
		}
		return q
	}
}
