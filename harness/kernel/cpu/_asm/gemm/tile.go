package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets in gemmTile; a test of package cpu compares them with the struct.
const (
	offA = 8 * iota
	offB
	offC
	offK
	offTiles
	offAStep
	offARow
	offANext
	offBStep
	offCRow
	offLast
	offAdd
	offPf
	offPfStep
	offPfNext
)

func mem(base GPPhysical, disp int) Mem { return Mem{Base: base, Disp: disp} }

// tile writes a kernel that computes t.Tiles tiles below each other, each of
// some rows and vectors. A tile has one accumulator for every vector of C:
//
//	for range t.Tiles {
//		for i, v := range rows x vectors { acc[i][v] = +0 }
//		for k := range t.K {
//			for i, v := range rows x vectors {
//				acc[i][v] = FMA(A[i,k], B[k,v], acc[i][v])
//			}
//		}
//		for i, v := range rows x vectors {
//			C[i,v] = acc[i][v]              // t.Add: C[i,v] + acc[i][v]
//		}
//		A, C = A[rows:], C[rows:]
//	}
//
// Of the last vector of a row, t.Last columns exist. Every k touches one line
// of memory that is needed soon, at t.Pf.
func tile(s *isa, name string, rows, vectors int) {
	TEXT(name, NOSPLIT, "func(t *byte)")
	Pragma("noescape")
	t := Load(Param("t"), RDI).(GPPhysical)
	a, b, c, k := RSI, RDX, RCX, R8
	aStep, aRow, bStep, pf, pfStep, tiles := R9, R10, R11, R12, R13, R14
	a3, a5, a8 := RAX, RBX, R15 // rows 3, 5 and 8 of A
	MOVQ(mem(t, offA), a)
	MOVQ(mem(t, offC), c)
	MOVQ(mem(t, offAStep), aStep)
	MOVQ(mem(t, offARow), aRow)
	MOVQ(mem(t, offBStep), bStep)
	MOVQ(mem(t, offPf), pf)
	MOVQ(mem(t, offPfStep), pfStep)
	MOVQ(mem(t, offTiles), tiles)
	s.mask(mem(t, offLast))

	n := rows * vectors
	acc := func(i int) []VecPhysical { return s.regs[i*vectors : (i+1)*vectors] }
	bv := s.regs[n : n+vectors]
	spare := s.spare(n + vectors)
	// No address needs more than a base and an index.
	at := [14]Mem{
		0: {Base: a}, 1: {Base: a, Index: aRow, Scale: 1}, 2: {Base: a, Index: aRow, Scale: 2},
		3: {Base: a3}, 4: {Base: a, Index: aRow, Scale: 4}, 5: {Base: a5},
		6: {Base: a5, Index: aRow, Scale: 1}, 7: {Base: a5, Index: aRow, Scale: 2}, 8: {Base: a8},
		9: {Base: a5, Index: aRow, Scale: 4}, 10: {Base: a8, Index: aRow, Scale: 2},
		11: {Base: a3, Index: aRow, Scale: 8}, 12: {Base: a8, Index: aRow, Scale: 4},
		13: {Base: a5, Index: aRow, Scale: 8},
	}

	Label("tile")
	for _, r := range s.regs[:n] {
		s.zero(r)
	}
	if rows > 3 {
		LEAQ(Mem{Base: a, Index: aRow, Scale: 2}, a3)
		ADDQ(aRow, a3)
	}
	if rows > 5 {
		LEAQ(Mem{Base: a3, Index: aRow, Scale: 2}, a5)
	}
	if rows > 8 {
		LEAQ(Mem{Base: a, Index: aRow, Scale: 8}, a8)
	}
	MOVQ(mem(t, offB), b)
	MOVQ(mem(t, offK), k)
	TESTQ(k, k)
	JZ(LabelRef("write"))

	Label("next")
	for v, r := range bv {
		s.load(mem(b, v*s.bytes()), r, v == vectors-1)
	}
	PREFETCHT0(mem(pf, 0))
	for i := range rows {
		s.multiply(at[i], bv, acc(i), spare[i%len(spare)])
	}
	ADDQ(aStep, a)
	if rows > 3 {
		ADDQ(aStep, a3)
	}
	if rows > 5 {
		ADDQ(aStep, a5)
	}
	if rows > 8 {
		ADDQ(aStep, a8)
	}
	ADDQ(bStep, b)
	ADDQ(pfStep, pf)
	DECQ(k)
	JNZ(LabelRef("next"))

	Label("write")
	aStepRow := R8 // k is spent
	MOVQ(mem(t, offCRow), aStepRow)
	CMPQ(mem(t, offAdd), Imm(0))
	JE(LabelRef("store"))
	MOVQ(c, b)
	for i := range rows {
		for v, r := range acc(i) {
			s.load(mem(b, v*s.bytes()), bv[v], v == vectors-1)
			VADDPS(r, bv[v], r)
		}
		if i < rows-1 {
			ADDQ(aStepRow, b)
		}
	}
	Label("store")
	for i := range rows {
		for v, r := range acc(i) {
			s.store(r, mem(c, v*s.bytes()), v == vectors-1)
		}
		ADDQ(aStepRow, c)
	}
	ADDQ(mem(t, offANext), a)
	ADDQ(mem(t, offPfNext), pf)
	DECQ(tiles)
	JNZ(LabelRef("tile"))
	VZEROUPPER()
	RET()
}

// spare returns up to four of the registers from n on.
func (s *isa) spare(n int) []VecPhysical {
	return s.regs[n:min(n+4, s.vectors())]
}
