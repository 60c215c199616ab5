package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// The gradient of a cell deep in a stack is a product of many weights and becomes subnormal.
// Processors take some dozen times longer to multiply subnormal numbers, so rows of such numbers
// are computed in another way: all numbers are first multiplied by 2^64, which makes them normal,
// as in ../flat/small.go, but here they have signs. A sum whose magnitude is below 2^-62 is
// computed on top of 2^-62 with the sign of the sum, where the last place is 2^-85.

// Offsets of constants in smallNumbers.
const (
	magnitude   = 4 * iota // all bits but the sign
	mostNumber             // 2^60
	mostWeight             // 2
	shelf                  // 2^-62
	place                  // 2^-85
	places                 // 2^85
	lift                   // 64, as an exponent field
	leastNormal            // 2^-126
	leastSum               // 2^-100
)

var smallNumbers Mem

func declareSmallNumbers() {
	smallNumbers = GLOBL("stackNumbers", RODATA|NOPTR)
	for i, n := range []uint32{1<<31 - 1, 187 << 23, 128 << 23, 65 << 23, 42 << 23, 212 << 23, 64 << 23, 1 << 23, 27 << 23} {
		DATA(4*i, U32(n))
	}
}

// Codes of the comparisons of VPCMPUD.
const less, lessOrEqual, notLess, greater = 1, 2, 5, 6

func compare(how int, v reg.VecVirtual, with int) reg.Register {
	k := K()
	VPCMPUD_BCST(Imm(uint64(how)), smallNumbers.Offset(with), v, k)
	return k
}

func jumpIf(k reg.Register, to string) {
	KORTESTW(k, k)
	JNZ(LabelRef(to))
}

func size(v reg.VecVirtual) reg.VecVirtual {
	to := ZMM()
	VPANDD_BCST(smallNumbers.Offset(magnitude), v, to)
	return to
}

// sign emits v = copysign(v, of).
func sign(of, v reg.VecVirtual) {
	VPTERNLOGD_BCST(U8(0xE4), smallNumbers.Offset(magnitude), of, v)
}

// most emits a jump, taken if the magnitude of one of the numbers is above a constant, or if one
// is NaN.
func most(list []reg.VecVirtual, with int, to string) {
	largest := size(list[0])
	for _, v := range list[1:] {
		VPMAXUD(size(v), largest, largest)
	}
	jumpIf(compare(greater, largest, with), to)
}

// scaled emits t = sum of values[i] times by[i], computed one after the other as by VMULPS and
// VFMADD231PS, but with only normal numbers. It emits jumps to plain, taken if the numbers do not
// permit this.
func scaled(values, by []reg.VecVirtual, t reg.VecVirtual, plain string) {
	most(values, mostNumber, plain)
	most(by, mostWeight, plain)
	base := ZMM()
	VBROADCASTSS(smallNumbers.Offset(shelf), base)
	for i, v := range values {
		x, normal := ZMM(), size(v)
		below := compare(less, normal, leastNormal)
		VCVTDQ2PS(normal, x)
		VPADDD_BCST(smallNumbers.Offset(lift), normal, normal)
		VMULPS_BCST(smallNumbers.Offset(place), x, x)
		VMOVAPS(x, below, normal)
		sign(v, normal)
		u, signed, onShelf := ZMM(), ZMM(), ZMM()
		if i == 0 {
			VMULPS(by[i], normal, u)
		} else {
			VMOVAPS(t, u)
			VFMADD231PS(normal, by[i], u)
		}
		VMOVAPS(base, signed)
		sign(u, signed)
		low := compare(less, size(u), shelf)
		if i == 0 {
			VMOVAPS(signed, onShelf)
		} else {
			// The sum of t and signed is exact if t is below 2^-62, as it has the last place 2^-85.
			k := K()
			VPCMPUD_BCST(Imm(notLess), smallNumbers.Offset(shelf), size(t), low, k)
			jumpIf(k, plain)
			VADDPS(signed, t, onShelf)
		}
		VFMADD231PS(normal, by[i], onShelf)
		VSUBPS(signed, onShelf, onShelf)
		sign(u, onShelf)
		VMOVAPS(onShelf, low, u)
		VMOVAPS(u, t)
	}
	whole, back := ZMM(), size(t)
	low := compare(less, back, shelf)
	VMULPS_BCST(smallNumbers.Offset(places), back, whole)
	VCVTPS2DQ(whole, whole)
	VPSUBD_BCST(smallNumbers.Offset(lift), back, back)
	VMOVAPS(whole, low, back)
	sign(t, back)
	VMOVAPS(back, t)
}

// add emits sum = FMA(here, with, sum). It leaves out lanes in which here is subnormal and too
// small to change the sum: with is at most 2, and the sum at least 2^-100.
func add(here, with, sum reg.VecVirtual) {
	h, k, all := ZMM(), K(), K()
	VFPCLASSPSZ(U8(subnormal), here, k)
	KANDW(compare(lessOrEqual, size(with), mostWeight), k, k)
	KANDW(compare(notLess, size(sum), leastSum), k, k)
	KNOTW(k, all)
	VMOVAPS_Z(here, all, h)
	VFMADD231PS(with, h, sum)
}

const subnormal = 0x20 // the class of VFPCLASSPS

// small is the state of the loop of numbers that finds rows of subnormal numbers.
type small struct {
	recent reg.Register // not 0 if there were subnormal numbers in one of the last four rows of dy
	emit   []func()     // emit the code for such rows
}

// look emits a jump, taken if there are subnormal numbers in the row v of dy or in one of the
// three rows before it.
func (s *small) look(v reg.VecVirtual, to string) {
	k, bits := K(), GP64()
	VFPCLASSPSZ(U8(subnormal), v, k)
	KMOVW(k, bits.As32())
	SHLQ(U8(16), s.recent)
	ORQ(bits, s.recent)
	JNZ(LabelRef(to))
}

// later keeps code for the end of the loop; the code ends with a jump back.
func (s *small) later(label, back string, code func()) {
	s.emit = append(s.emit, func() {
		Label(label)
		code()
		JMP(LabelRef(back))
	})
}

// finish emits the code that later has kept.
func (s *small) finish() {
	if len(s.emit) == 0 {
		return
	}
	done := lane.Fresh("done")
	JMP(LabelRef(done))
	for _, f := range s.emit {
		f()
	}
	Label(done)
}
