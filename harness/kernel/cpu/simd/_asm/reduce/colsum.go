package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// colSum sums eight or four vectors of columns at a time, row by row. The remaining columns
// are summed in single vectors. There an addition would have to wait for the previous one, so
// the code sums up to eight chunks of rows in parallel and then adds the sums of the chunks
// in order.
func colSum(s lane.Set) {
	TEXT("colSum"+s.Name, NOSPLIT, "func(dst, x *float32, rows, n, ldx int, again bool)")
	rem, off := arg("n"), GP64()
	ld := stride("ldx")
	again := Load(Param("again"), GP8())
	s.Blocks(rem, off, []int{8, 4}, func(u int, m *lane.Mask) {
		dst, x, left := arg("dst"), arg("x"), arg("rows")
		ADDQ(off, dst)
		ADDQ(off, x)
		if u > 1 {
			colSumWide(s, u, dst, x, left, ld, again)
		} else {
			colSumNarrow(s, m, dst, x, left, ld, again)
		}
	})
	VZEROUPPER()
	RET()
}

// colSumWide emits the sums of u vectors of columns, row by row. It keeps the sum of
// the finished chunks in dst.
func colSumWide(s lane.Set, u int, dst, x, left, ld, again reg.Register) {
	at := func(p reg.Register, i int) Mem { return Mem{Base: p, Disp: i * s.Bytes()} }
	zero, more, done := s.Zeros(1)[0], lane.Fresh("more"), lane.Fresh("done")
	n, most := GP64(), GP64()
	MOVQ(U32(chunk), most)
	TESTB(again, again)
	JNZ(LabelRef(more))
	for i := range u {
		s.Store(zero, at(dst, i), nil)
	}
	Label(more)
	TESTQ(left, left)
	JLE(LabelRef(done))
	MOVQ(left, n)
	CMPQ(n, most)
	CMOVQGT(most, n)
	SUBQ(n, left)
	sum := s.Zeros(u)
	lane.Loop(n, func() {
		for i, v := range sum {
			VADDPS(at(x, i), v, v)
		}
	}, lane.Move{Pointer: x, By: ld})
	for i, v := range sum {
		VADDPS(at(dst, i), v, v)
		s.Store(v, at(dst, i), nil)
	}
	JMP(LabelRef(more))
	Label(done)
}

func colSumNarrow(s lane.Set, m *lane.Mask, dst, x, left, ld, again reg.Register) {
	sum, fresh := s.Zeros(1)[0], lane.Fresh("fresh")
	TESTB(again, again)
	JZ(LabelRef(fresh))
	s.Load(Mem{Base: dst}, sum, m)
	Label(fresh)
	dist, dist3 := GP64(), GP64() // distance from one chunk to the next, and three times that
	IMUL3Q(U32(chunk), ld, dist)
	LEAQ(Mem{Base: dist, Index: dist, Scale: 2}, dist3)
	for _, u := range []int{8, 4, 2, 1} {
		more, less := lane.Fresh("more"), lane.Fresh("less")
		n := GP64()
		Label(more)
		if u > 1 {
			CMPQ(left, U32(u*chunk))
			JLT(LabelRef(less))
			MOVQ(U32(chunk), n)
			SUBQ(U32(u*chunk), left)
		} else {
			most := GP64()
			TESTQ(left, left)
			JLE(LabelRef(less))
			MOVQ(U32(chunk), most)
			MOVQ(left, n)
			CMPQ(n, most)
			CMOVQGT(most, n)
			SUBQ(n, left)
		}
		far := GP64() // x plus five chunks
		if u == 8 {
			LEAQ(Mem{Base: x, Index: dist3, Scale: 1}, far)
			LEAQ(Mem{Base: far, Index: dist, Scale: 2}, far)
		}
		places := []Mem{{Base: x}, {Base: x, Index: dist, Scale: 1}, {Base: x, Index: dist, Scale: 2}, {Base: x, Index: dist3, Scale: 1},
			{Base: x, Index: dist, Scale: 4}, {Base: far}, {Base: x, Index: dist3, Scale: 2}, {Base: far, Index: dist, Scale: 2}}
		part := s.Zeros(u)
		moves := []lane.Move{{Pointer: x, By: ld}}
		if u == 8 {
			moves = append(moves, lane.Move{Pointer: far, By: ld})
		}
		lane.Loop(n, func() {
			for i, v := range part {
				VADDPS(s.Source(places[i], m), v, v)
			}
		}, moves...)
		for _, v := range part {
			VADDPS(v, sum, sum)
		}
		switch u { // x has advanced by one chunk and must advance by the other u-1
		case 8:
			LEAQ(Mem{Base: x, Index: dist3, Scale: 2}, x)
			ADDQ(dist, x)
		case 4:
			ADDQ(dist3, x)
		case 2:
			ADDQ(dist, x)
		}
		JMP(LabelRef(more))
		Label(less)
	}
	s.Store(sum, Mem{Base: dst}, m)
}
