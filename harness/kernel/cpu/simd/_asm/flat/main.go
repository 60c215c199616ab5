// Command flat writes flat_amd64.s: kernels for stacks of few columns, with several
// rows in a vector.
//
//	cd _asm && go run ./flat -out ../flat_amd64.s
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

func main() {
	ConstraintExpr("amd64,!purego")
	declareNumbers()
	rows()
	sums()
	lane.Finish()
}

func load(base reg.Register, disp int) reg.GPVirtual {
	r := GP64()
	MOVQ(Mem{Base: base, Disp: disp}, r)
	return r
}

// Offsets of the fields of flatRows, in their order, 8 bytes each.
const (
	rowsDst = 8 * iota
	rowsX
	rowsY
	rowsZ
	rowsA
	rowsB
	rowsC
	rowsMove
	rowsCount
	rowsShape
)

// Offsets of the fields of flatShape, in their order.
const (
	shapeTurn  = 0
	shapeMask  = 64
	shapeFirst = 72
	shapeLanes = 80
	shapeRows  = 88
	shapeBytes = 96
)

// rows generates flatRowsAVX512. Its arguments are described at flatRows in flat.go:
//
//	t := a * x            // VMULPS
//	t = FMA(b, y, t)      // VFMADD231PS, unless y is nil
//	t = FMA(c, z, t)      // VFMADD231PS, unless z is nil
func rows() {
	TEXT("flatRowsAVX512", NOSPLIT, "func(a *byte)")
	args := Load(Param("a"), GP64())
	shape := load(args, rowsShape)
	full, first := K(), K()
	mask := load(shape, shapeMask)
	KMOVW(mask.As32(), full)
	KMOVW(load(shape, shapeFirst).As32(), first)
	turn := ZMM()
	VMOVUPS(Mem{Base: shape, Disp: shapeTurn}, turn)
	lanes := load(shape, shapeLanes)
	dst, x, y, z := load(args, rowsDst), load(args, rowsX), load(args, rowsY), load(args, rowsZ)
	move, left := load(args, rowsMove), load(args, rowsCount)
	wild := GP64() // not 0 if a weight is negative, greater than 2, or NaN
	XORQ(wild, wild)
	weights := func(field int) reg.VecVirtual {
		v, k, out := ZMM(), K(), GP64()
		VMOVUPS_Z(Mem{Base: load(args, field)}, first, v)
		VPERMPS(v, turn, v)
		VPCMPUD_BCST(Imm(6), number(mostWeight), v, k)
		KMOVW(k, out.As32())
		ORQ(out, wild)
		return v
	}
	a := weights(rowsA)
	var b, c reg.VecVirtual
	off := GP64() // offset into all operands but x, in bytes
	XORQ(off, off)
	loop := func(y, z reg.Register) {
		body := func(m reg.Register) {
			values, by := []reg.VecVirtual{ZMM()}, []reg.VecVirtual{a}
			VMOVUPS_Z(Mem{Base: x}, m, values[0])
			for _, term := range []struct {
				from reg.Register
				by   reg.VecVirtual
			}{{y, b}, {z, c}} {
				if term.from != nil {
					v := ZMM()
					VMOVUPS_Z(Mem{Base: term.from, Index: off, Scale: 1}, m, v)
					values, by = append(values, v), append(by, term.by)
				}
			}
			t := ZMM()
			small, plain, store := lane.Fresh("small"), lane.Fresh("plain"), lane.Fresh("store")
			isSmall(values, small)
			Label(plain)
			VMULPS(by[0], values[0], t)
			for i := 1; i < len(values); i++ {
				VFMADD231PS(values[i], by[i], t)
			}
			JMP(LabelRef(store))
			Label(small)
			TESTQ(wild, wild)
			JNZ(LabelRef(plain))
			isLarge(values, plain)
			scaled(values, by, t)
			Label(store)
			VMOVUPS(t, m, Mem{Base: dst, Index: off, Scale: 1})
		}
		top, tail, done := lane.Fresh("top"), lane.Fresh("tail"), lane.Fresh("done")
		Label(top)
		CMPQ(left, lanes)
		JLT(LabelRef(tail))
		body(full)
		LEAQ(Mem{Base: off, Index: lanes, Scale: 4}, off)
		ADDQ(move, x)
		SUBQ(lanes, left)
		JMP(LabelRef(top))
		Label(tail)
		TESTQ(left, left)
		JZ(LabelRef(done))
		rest, k := GP64(), K()
		BZHIQ(left, mask, rest)
		KMOVW(rest.As32(), k)
		body(k)
		Label(done)
		VZEROUPPER()
		RET()
	}
	noY, noZ, none := lane.Fresh("noY"), lane.Fresh("noZ"), lane.Fresh("none")
	TESTQ(y, y)
	JZ(LabelRef(noY))
	b = weights(rowsB)
	TESTQ(z, z)
	JZ(LabelRef(noZ))
	c = weights(rowsC)
	loop(y, z)
	Label(noZ)
	loop(y, nil)
	Label(noY)
	TESTQ(z, z)
	JZ(LabelRef(none))
	c = weights(rowsC)
	loop(nil, z)
	Label(none)
	loop(nil, nil)
}

// Offsets of the fields of flatSums, in their order.
const (
	sumsDy    = 8 * iota
	sumsWith  // three
	_         //
	_         //
	sumsMove  // three
	_         //
	_         //
	sumsRows  //
	sumsAll   //
	sumsShape //
	sumsSum   // three of 8 numbers
)

// sums generates flatSumsAVX512. Its arguments are described at flatSums in flat.go.
func sums() {
	TEXT("flatSumsAVX512", NOSPLIT, "func(a *byte)")
	args := Load(Param("a"), GP64())
	shape := load(args, sumsShape)
	first, full := K(), K()
	KMOVW(load(shape, shapeFirst).As32(), first)
	mask := load(shape, shapeMask)
	KMOVW(mask.As32(), full)
	dy, all, most, row := load(args, sumsDy), load(args, sumsAll), load(shape, shapeRows), load(shape, shapeBytes)
	left := load(args, sumsRows)
	var with, move [3]reg.GPVirtual
	var sum [3]reg.VecVirtual
	for i := range with {
		with[i], move[i] = load(args, sumsWith+8*i), load(args, sumsMove+8*i)
		sum[i] = YMM()
		VMOVUPS(Mem{Base: args, Disp: sumsSum + 32*i}, sum[i])
	}
	top, some, skip, done := lane.Fresh("top"), lane.Fresh("some"), lane.Fresh("skip"), lane.Fresh("done")
	n := GP64() // number of rows in the current vector
	Label(top)
	TESTQ(left, left)
	JZ(LabelRef(done))
	MOVQ(most, n)
	CMPQ(left, most)
	CMOVQLT(left, n)
	// The mask of n rows.
	bits, k := GP64(), K()
	MOVQ(n, bits)
	IMULQ(row, bits)
	SHRQ(Imm(2), bits)
	BZHIQ(bits, mask, bits)
	KMOVW(bits.As32(), k)
	SUBQ(n, left)
	v, set := ZMM(), K()
	VMOVDQU32_Z(Mem{Base: dy}, k, v)
	VPTESTMD(v, v, set)
	any := GP64()
	KMOVW(set, any.As32())
	ORQ(all, any)
	JZ(LabelRef(skip))
	Label(some)
	d := YMM()
	VMOVUPS_Z(Mem{Base: dy}, first, d)
	for i := range with {
		VFMADD231PS(Mem{Base: with[i]}, d, first, sum[i])
		ADDQ(move[i], with[i])
	}
	ADDQ(row, dy)
	DECQ(n)
	JNZ(LabelRef(some))
	JMP(LabelRef(top))
	Label(skip)
	by := GP64()
	for i := range with {
		MOVQ(move[i], by)
		IMULQ(n, by)
		ADDQ(by, with[i])
	}
	MOVQ(row, by)
	IMULQ(n, by)
	ADDQ(by, dy)
	JMP(LabelRef(top))
	Label(done)
	for i := range sum {
		VMOVUPS(sum[i], Mem{Base: args, Disp: sumsSum + 32*i})
	}
	VZEROUPPER()
	RET()
}
