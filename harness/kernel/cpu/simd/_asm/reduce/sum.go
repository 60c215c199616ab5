package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// dotLeaf generates a leaf, the sum of one block of at most 4,096 products. A vector has N
// elements. Of each 64 elements, vector i is added to the partial sums i*N to i*N+N-1. Lanes
// beyond the end add +0, which changes no partial sum, since none is -0.
//
//	part[i%64] += x[i] * y[i] // VMULPS, VADDPS
func dotLeaf(s lane.Set) {
	TEXT("dotLeaf"+s.Name, NOSPLIT, "func(x, y *float32, n int) float32")
	x, y, n := arg("x"), arg("y"), arg("n")
	sum := s.Fold(partials(s, x, y, n))
	result, err := ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	VMOVSS(sum.AsX(), result.Addr) // Store would emit an SSE instruction
	VZEROUPPER()
	RET()
}

// partials adds products of x and y to 64 partial sums. It advances x and y and
// overwrites n.
func partials(s lane.Set, x, y, n reg.Register) []reg.VecVirtual {
	part := s.Zeros(64 / s.N)
	add := func(i int, m *lane.Mask) {
		o, v := i*s.Bytes(), s.Vec()
		s.Load(Mem{Base: x, Disp: o}, v, m)
		VMULPS(s.Source(Mem{Base: y, Disp: o}, m), v, v)
		VADDPS(v, part[i], part[i])
	}
	more, tail, done := lane.Fresh("more"), lane.Fresh("tail"), lane.Fresh("done")
	Label(more)
	CMPQ(n, Imm(64))
	JLT(LabelRef(tail))
	for i := range part {
		add(i, nil)
	}
	ADDQ(U32(256), x)
	ADDQ(U32(256), y)
	SUBQ(Imm(64), n)
	JMP(LabelRef(more))
	Label(tail)
	TESTQ(n, n)
	JLE(LabelRef(done))
	for i := range part {
		add(i, s.Next(n, i))
	}
	Label(done)
	return part
}

// rowDot generates the same sum as dotLeaf for each row; n is at most 4,096. If a row fits in
// one vector of N elements, all partial sums after the first N are +0, so only the first N are
// added up.
func rowDot(s lane.Set) {
	TEXT("rowDot"+s.Name, NOSPLIT, "func(dst, x, y *float32, rows, n, ldx, ldy int)")
	dst, x, y, rows, n := arg("dst"), arg("x"), arg("y"), arg("rows"), arg("n")
	ldx, ldy := stride("ldx"), stride("ldy")
	long, done := lane.Fresh("long"), lane.Fresh("done")
	four := GP64()
	MOVQ(U32(4), four)
	moves := []lane.Move{{Pointer: x, By: ldx}, {Pointer: y, By: ldy}, {Pointer: dst, By: four}}
	TESTQ(rows, rows)
	JLE(LabelRef(done))
	CMPQ(n, U32(s.N))
	JGT(LabelRef(long))
	m := s.First(n)
	zero := s.Zeros(1)[0]
	lane.Loop(rows, func() {
		v := s.Vec()
		s.Load(Mem{Base: x}, v, m)
		VMULPS(s.Source(Mem{Base: y}, m), v, v)
		VADDPS(zero, v, v) // -0 becomes +0
		VMOVSS(s.Fold([]reg.VecVirtual{v}).AsX(), Mem{Base: dst})
	}, moves...)
	JMP(LabelRef(done))
	Label(long)
	lane.Loop(rows, func() {
		px, py, left := GP64(), GP64(), GP64()
		MOVQ(x, px)
		MOVQ(y, py)
		MOVQ(n, left)
		VMOVSS(s.Fold(partials(s, px, py, left)).AsX(), Mem{Base: dst})
	}, moves...)
	Label(done)
	VZEROUPPER()
	RET()
}
