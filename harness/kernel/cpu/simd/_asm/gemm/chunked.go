package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// chunked writes a kernel that computes some rows, each of one vector. It computes
// several chunks of t.K products at the same time, so that FMAs do not wait for each
// other, and adds the sums of the chunks in order:
//
//	for q, i := range chunks x rows { acc[q][i] = +0 }
//	for k := range t.K {
//		for q, i := range chunks x rows {
//			acc[q][i] = FMA(A[i,q*t.K+k], B[q*t.K+k], acc[q][i])
//		}
//	}
//	for i := range rows {
//		sum := acc[0][i]                        // if t.Add is 1: C[i] + acc[0][i]
//		for q := 1; q < chunks; q++ { sum += acc[q][i] }
//		C[i] = sum
//	}
func chunked(s *isa, name string, rows, chunks int) {
	TEXT(name, NOSPLIT, "func(t *byte)")
	Pragma("noescape")
	t := Load(Param("t"), RDI).(GPPhysical)
	s.mask(mem(t, offLast))
	b, b3, bChunk, bStep := RDX, RBX, R8, R9
	aRow, aRow3, aStep, k, c := R10, RAX, R11, RCX, R12
	a := []GPPhysical{RSI, R13, R14, R15}[:chunks] // one for each chunk
	MOVQ(mem(t, offK), k)
	MOVQ(mem(t, offBStep), bStep)
	MOVQ(mem(t, offB), b)
	MOVQ(bStep, bChunk)
	IMULQ(k, bChunk)
	if chunks > 3 {
		LEAQ(Mem{Base: b, Index: bChunk, Scale: 2}, b3)
		ADDQ(bChunk, b3)
	}
	MOVQ(mem(t, offAStep), aStep)
	MOVQ(aStep, aRow)
	IMULQ(k, aRow)
	MOVQ(mem(t, offA), a[0])
	for q := 1; q < chunks; q++ {
		LEAQ(Mem{Base: a[q-1], Index: aRow, Scale: 1}, a[q])
	}
	MOVQ(mem(t, offARow), aRow)
	LEAQ(Mem{Base: aRow, Index: aRow, Scale: 2}, aRow3)

	n := chunks * rows
	acc := func(q, i int) []VecPhysical { return s.regs[q*rows+i : q*rows+i+1] }
	bv, spare := s.regs[n:n+1], s.regs[n+1]
	for _, r := range s.regs[:n] {
		s.zero(r)
	}
	bAt := []Mem{{Base: b}, {Base: b, Index: bChunk, Scale: 1}, {Base: b, Index: bChunk, Scale: 2}, {Base: b3}}
	aAt := func(q, i int) Mem {
		return []Mem{{Base: a[q]}, {Base: a[q], Index: aRow, Scale: 1},
			{Base: a[q], Index: aRow, Scale: 2}, {Base: a[q], Index: aRow3, Scale: 1}}[i]
	}
	Label("next")
	for q := range chunks {
		s.load(bAt[q], bv[0], true)
		for i := range rows {
			s.multiply(aAt(q, i), bv, acc(q, i), spare)
		}
	}
	for _, r := range a {
		ADDQ(aStep, r)
	}
	ADDQ(bStep, b)
	if chunks > 3 {
		ADDQ(bStep, b3)
	}
	DECQ(k)
	JNZ(LabelRef("next"))

	cRow := bStep
	MOVQ(mem(t, offC), c)
	MOVQ(mem(t, offCRow), cRow)
	CMPQ(mem(t, offAdd), Imm(0))
	JE(LabelRef("sum"))
	MOVQ(c, b)
	for i := range rows {
		s.load(mem(b, 0), bv[0], true)
		VADDPS(acc(0, i)[0], bv[0], acc(0, i)[0])
		ADDQ(cRow, b)
	}
	Label("sum")
	for i := range rows {
		for q := 1; q < chunks; q++ {
			VADDPS(acc(q, i)[0], acc(0, i)[0], acc(0, i)[0])
		}
		s.store(acc(0, i)[0], mem(c, 0), true)
		ADDQ(cRow, c)
	}
	VZEROUPPER()
	RET()
}
