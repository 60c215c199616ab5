package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// mix generates the kernel of Mix, which adds the blocks of each row with weights. It
// loops over the vectors of a block, and for each vector over the blocks.
//
//	t := w[0] * x[j] // VMULPS
//	for b := 1; b < blocks; b++ { t = FMA(w[b], x[b*n+j], t) } // VFMADD231PS
//	dst[j] = t
func mix(s lane.Set) {
	TEXT("mix"+s.Name, NOSPLIT, "func(dst, w, x *float32, rows, blocks, n, ldd, ldw, ldx int)")
	dst, w, x, rows := arg("dst"), arg("w"), arg("x"), arg("rows")
	width := stride("n")
	eachRow(rows, func() {
		rem, off := arg("n"), GP64()
		s.Blocks(rem, off, []int{4}, func(u int, m *lane.Mask) {
			t, weight, p, factor, left := s.Vecs(u), s.Vec(), GP64(), GP64(), arg("blocks")
			at := func(i int) Mem { return Mem{Base: p, Disp: i * s.Bytes()} }
			LEAQ(Mem{Base: x, Index: off, Scale: 1}, p)
			MOVQ(w, factor)
			VBROADCASTSS(Mem{Base: factor}, weight)
			for i, v := range t {
				s.Load(at(i), v, m)
				VMULPS(weight, v, v)
			}
			more, done := lane.Fresh("more"), lane.Fresh("done")
			Label(more)
			DECQ(left)
			JLE(LabelRef(done))
			ADDQ(width, p)
			ADDQ(Imm(4), factor)
			VBROADCASTSS(Mem{Base: factor}, weight)
			for i, v := range t {
				VFMADD231PS(s.Source(at(i), m), weight, v)
			}
			JMP(LabelRef(more))
			Label(done)
			for i, v := range t {
				s.Store(v, Mem{Base: dst, Index: off, Scale: 1, Disp: i * s.Bytes()}, m)
			}
		})
	}, dst, "ldd", w, "ldw", x, "ldx")
}

// mixGrad generates
//
//	dst[b*n+j] = dy[j] * w[b] // VMULPS
func mixGrad(s lane.Set) {
	TEXT("mixGrad"+s.Name, NOSPLIT, "func(dst, w, dy *float32, rows, blocks, n, ldd, ldw, ldy int)")
	dst, w, dy, rows := arg("dst"), arg("w"), arg("dy"), arg("rows")
	width := stride("n")
	eachRow(rows, func() {
		rem, off := arg("n"), GP64()
		s.Blocks(rem, off, []int{4}, func(u int, m *lane.Mask) {
			y, p, factor, left := s.Vecs(u), GP64(), GP64(), arg("blocks")
			for i, v := range y {
				s.Load(Mem{Base: dy, Index: off, Scale: 1, Disp: i * s.Bytes()}, v, m)
			}
			LEAQ(Mem{Base: dst, Index: off, Scale: 1}, p)
			MOVQ(w, factor)
			four := GP64()
			MOVQ(U32(4), four)
			lane.Loop(left, func() {
				weight := s.Vec()
				VBROADCASTSS(Mem{Base: factor}, weight)
				for i, v := range y {
					t := s.Vec()
					VMULPS(weight, v, t)
					s.Store(t, Mem{Base: p, Disp: i * s.Bytes()}, m)
				}
			}, lane.Move{Pointer: p, By: width}, lane.Move{Pointer: factor, By: four})
		})
	}, dst, "ldd", w, "ldw", dy, "ldy")
}

// eachRow emits a loop that runs the code of the function body for each row, and the return
// from the kernel. The arguments in moves are pairs: a pointer, and the name of the
// parameter that holds the distance by which the pointer moves from row to row.
func eachRow(rows reg.Register, body func(), moves ...any) {
	done := lane.Fresh("done")
	TESTQ(rows, rows)
	JLE(LabelRef(done))
	again := lane.Fresh("row")
	Label(again)
	body()
	for i := 0; i < len(moves); i += 2 {
		ADDQ(stride(moves[i+1].(string)), moves[i].(reg.Register))
	}
	DECQ(rows)
	JNZ(LabelRef(again))
	Label(done)
	VZEROUPPER()
	RET()
}
