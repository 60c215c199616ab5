package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets in gemmTile of package cpu.
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
	offFirst
	offBatch
	offBatches
	offFetch
	offFetchStep
)

// prefetchFrom is the number of products from which on C is fetched ahead.
const prefetchFrom = 64

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
// Of the last vector of a row, t.Last columns exist. The k come in batches,
// t.First and then t.Batch at a time, t.Batches in all; after each the kernel
// fetches a row of memory that is needed soon, from t.Fetch on.
func tile(s *isa, name string, rows, vectors int) {
	TEXT(name, NOSPLIT, "func(t *byte)")
	Pragma("noescape")
	t := Load(Param("t"), RDI).(GPPhysical)
	a, b, c := RSI, RDX, RCX
	k, batches, cRow := R8, R13, R8 // k and cRow at different times
	aStep, aRow, bStep, fetch, tiles := R9, R10, R11, R12, R14
	a3, a5, a8 := RAX, RBX, R15 // rows 3, 5 and 8 of A
	MOVQ(mem(t, offA), a)
	MOVQ(mem(t, offC), c)
	MOVQ(mem(t, offAStep), aStep)
	MOVQ(mem(t, offARow), aRow)
	MOVQ(mem(t, offBStep), bStep)
	MOVQ(mem(t, offFetch), fetch)
	MOVQ(mem(t, offTiles), tiles)
	s.mask(mem(t, offLast))

	n := rows * vectors
	acc := func(i int) []VecPhysical { return s.regs[i*vectors : (i+1)*vectors] }
	bv := s.regs[n : n+vectors]
	spare := s.regs[n+vectors : min(n+vectors+4, len(s.regs))]
	// No address needs more than a base and an index.
	at := [14]Mem{
		0: {Base: a}, 1: {Base: a, Index: aRow, Scale: 1}, 2: {Base: a, Index: aRow, Scale: 2},
		3: {Base: a3}, 4: {Base: a, Index: aRow, Scale: 4}, 5: {Base: a5},
		6: {Base: a5, Index: aRow, Scale: 1}, 7: {Base: a5, Index: aRow, Scale: 2}, 8: {Base: a8},
		9: {Base: a5, Index: aRow, Scale: 4}, 10: {Base: a8, Index: aRow, Scale: 2},
		11: {Base: a3, Index: aRow, Scale: 8}, 12: {Base: a8, Index: aRow, Scale: 4},
		13: {Base: a5, Index: aRow, Scale: 8},
	}
	bases := []Register{a}
	if rows > 3 {
		bases = append(bases, a3)
	}
	if rows > 5 {
		bases = append(bases, a5)
	}
	if rows > 8 {
		bases = append(bases, a8)
	}
	touch := func(row GPPhysical) {
		for v := range vectors {
			PREFETCHT0(mem(row, v*s.bytes()))
		}
		PREFETCHT0(mem(row, vectors*s.bytes()-4))
	}

	Label("tile")
	CMPQ(mem(t, offK), Imm(prefetchFrom))
	JL(LabelRef("ready"))
	MOVQ(mem(t, offCRow), cRow)
	MOVQ(c, b)
	for i := range rows {
		touch(b)
		if i < rows-1 {
			ADDQ(cRow, b)
		}
	}
	Label("ready")
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
	MOVQ(mem(t, offBatches), batches)
	MOVQ(mem(t, offFirst), k)

	Label("next")
	for v, r := range bv {
		s.load(mem(b, v*s.bytes()), r, v == vectors-1)
	}
	for i := range rows {
		s.multiply(at[i], bv, acc(i), spare[i%len(spare)])
	}
	for _, base := range bases {
		ADDQ(aStep, base)
	}
	ADDQ(bStep, b)
	DECQ(k)
	JNZ(LabelRef("next"))
	touch(fetch)
	ADDQ(mem(t, offFetchStep), fetch)
	MOVQ(mem(t, offBatch), k)
	DECQ(batches)
	JNZ(LabelRef("next"))

	MOVQ(mem(t, offCRow), cRow)
	CMPQ(mem(t, offAdd), Imm(0))
	JE(LabelRef("store"))
	MOVQ(c, b)
	for i := range rows {
		for v, r := range acc(i) {
			s.load(mem(b, v*s.bytes()), bv[v], v == vectors-1)
			VADDPS(r, bv[v], r)
		}
		if i < rows-1 {
			ADDQ(cRow, b)
		}
	}
	Label("store")
	for i := range rows {
		for v, r := range acc(i) {
			s.store(r, mem(c, v*s.bytes()), v == vectors-1)
		}
		ADDQ(cRow, c)
	}
	ADDQ(mem(t, offANext), a)
	DECQ(tiles)
	JNZ(LabelRef("tile"))
	VZEROUPPER()
	RET()
}
