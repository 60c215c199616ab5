package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Deep cells of a stack are products of many weights and become subnormal. Processors take
// some dozen times longer to multiply subnormal numbers. A vector with such small numbers
// is therefore computed in another way, unless it also has negative or large numbers: its
// numbers are first multiplied by 2^64, which makes them normal.
//
// The result must be rounded as it would be without this factor. The last place of a
// subnormal number is 2^-149, which the factor makes 2^-85. A sum below 2^-62 is therefore
// computed on top of 2^-62, where the last place is 2^-85, and then 2^-62 is subtracted. So
// the sum is rounded once, in the right place.
//
// Each step of the formula is
//
//	u := FMA(w, x, t)                       // in the first step: w*x
//	if u < 2^-62 {
//		u = FMA(w, x, t+2^-62) - 2^-62  // t, at most u, is a multiple of 2^-85
//	}

// Offsets of constants in numbers.
const (
	minusOne    = 4 * iota // integer
	mostSmall              // 2^-100, less one in the last place
	mostNumber             // 2^60
	mostWeight             // 2
	shelf                  // 2^-62
	place                  // 2^-85
	places                 // 2^85
	lift                   // 64, as an exponent field
	leastNormal            // 2^-126
)

var numbers Mem

func declareNumbers() {
	numbers = GLOBL("flatNumbers", RODATA|NOPTR)
	for i, n := range []uint32{1<<32 - 1, 27<<23 - 1, 187 << 23, 128 << 23, 65 << 23, 42 << 23, 212 << 23, 64 << 23, 1 << 23} {
		DATA(4*i, U32(n))
	}
}

func number(at int) Mem { return numbers.Offset(at) }

// isSmall emits a jump, taken if one of the values is greater than 0 and less than
// 2^-100.
func isSmall(values []reg.VecVirtual, to string) {
	var least reg.VecVirtual
	for _, v := range values {
		below := ZMM() // wraps 0 to the largest integer
		VPADDD_BCST(number(minusOne), v, below)
		if least != nil {
			VPMINUD(least, below, below)
		}
		least = below
	}
	jumpIf(1, least, mostSmall, to)
}

// isLarge emits a jump, taken if one of the values is negative, large or NaN.
func isLarge(values []reg.VecVirtual, to string) {
	most := values[0]
	for _, v := range values[1:] {
		larger := ZMM()
		VPMAXUD(most, v, larger)
		most = larger
	}
	jumpIf(6, most, mostNumber, to)
}

// jumpIf emits a jump to the given label. The jump is taken if a comparison of unsigned
// integers holds between some word of v and a constant. The parameter how is the code
// of the comparison in VPCMPUD, such as 1 for less than. The parameter with is the
// index of the constant.
func jumpIf(how uint8, v reg.VecVirtual, with int, to string) {
	k := K()
	VPCMPUD_BCST(Imm(uint64(how)), number(with), v, k)
	KORTESTW(k, k)
	JNZ(LabelRef(to))
}

// scaled emits t = sum of values[i] times by[i], in the scaled form that the start of
// this file describes. The code uses only normal numbers.
func scaled(values, by []reg.VecVirtual, t reg.VecVirtual) {
	base, low := ZMM(), K()
	VBROADCASTSS(number(shelf), base)
	for i, v := range values {
		x, normal, below := ZMM(), ZMM(), K()
		VPCMPUD_BCST(Imm(1), number(leastNormal), v, below)
		VPADDD_BCST(number(lift), v, normal)
		VCVTDQ2PS(v, x)
		VMULPS_BCST(number(place), x, x)
		VMOVAPS(x, below, normal)
		u, onShelf := ZMM(), ZMM()
		if i == 0 {
			VMULPS(by[i], normal, u)
			VMOVAPS(base, onShelf)
		} else {
			VMOVAPS(t, u)
			VFMADD231PS(normal, by[i], u)
			VADDPS(base, t, onShelf)
		}
		VFMADD231PS(normal, by[i], onShelf)
		VSUBPS(base, onShelf, onShelf)
		VCMPPS(U8(0x11), base, u, low) // less
		VMOVAPS(onShelf, low, u)
		VMOVAPS(u, t)
	}
	whole := ZMM()
	VCMPPS(U8(0x11), base, t, low)
	VMULPS_BCST(number(places), t, whole)
	VCVTPS2DQ(whole, whole)
	VPSUBD_BCST(number(lift), t, t)
	VMOVAPS(whole, low, t)
}
