package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Offsets in gemmAlong of package simd.
const (
	alongA = 8 * iota
	alongB
	alongC
	alongFrom
	alongK
	alongN
	alongAStep
	alongARow
	alongBStep
	alongCRow
	alongFromRow
	alongResume
	alongAdd
	alongAt
	alongLast
)

// alongAhead is how far ahead in a row of B along prefetches, in bytes.
const alongAhead = 512

// along writes a kernel that computes some rows of C over a few values of k, panel after panel
// of the given number of vectors. The columns that are left over are computed one vector at a
// time:
//
//	for panel := range t.N columns {
//		for i, v := range rows x vectors {
//			acc[i][v] = +0                  // if t.Resume is 1: From[i,v]
//		}
//		for k := range t.K {
//			fetch(B[k,v] of a later panel)
//			for i, v := range rows x vectors {
//				acc[i][v] = FMA(A[i,k], B[k,v], acc[i][v])
//			}
//		}
//		for i, v := range rows x vectors {
//			C[i,v] = acc[i][v]              // if t.Add is 1: C[i,v] + acc[i][v]
//		}
//		B, C, From = B[panel:], C[panel:], From[panel:]
//	}
func along(s *isa, name string, rows, vectors int) {
	TEXT(name, NOSPLIT, "func(t *byte)")
	Pragma("noescape")
	t := Load(Param("t"), RDI).(GPPhysical)
	w := &writer{isa: s, rows: rows, t: t}
	MOVQ(mem(t, alongB), regB)
	MOVQ(regB, mem(t, alongAt))
	MOVQ(mem(t, alongC), regC)
	MOVQ(mem(t, alongFrom), from)
	MOVQ(mem(t, alongN), columns)
	MOVQ(mem(t, alongAStep), aStep)
	MOVQ(mem(t, alongARow), aRow)
	MOVQ(mem(t, alongBStep), bStep)
	CMPQ(columns, U32(vectors*s.lanes))
	JL(LabelRef("rest"))
	w.alongPanel("panel", vectors, false)
	CMPQ(columns, U32(vectors*s.lanes))
	JGE(LabelRef("panel"))
	Label("rest")
	CMPQ(columns, Imm(0))
	JLE(LabelRef("done"))
	MOVQ(U32(s.lanes), regK)
	CMPQ(columns, regK)
	CMOVQLT(columns, regK)
	MOVQ(regK, mem(t, alongLast))
	s.mask(mem(t, alongLast))
	w.alongPanel("vector", 1, true)
	JMP(LabelRef("rest"))
	Label("done")
	VZEROUPPER()
	RET()
}

// Registers of along, beside those of a tile.
var columns, from, rowBytes = R12, R13, R14

// alongPanel emits the code for one panel and moves on to the next.
func (w *writer) alongPanel(name string, vectors int, masked bool) {
	w.vectors = vectors
	n := w.rows * vectors
	w.b = w.regs[n : n+vectors]
	w.spare = w.regs[n+vectors : min(n+vectors+4, len(w.regs))]

	Label(name)
	CMPQ(mem(w.t, alongResume), Imm(0))
	JE(LabelRef(name + "Zero"))
	MOVQ(mem(w.t, alongFromRow), rowBytes)
	MOVQ(from, regB)
	for i := range w.rows {
		for v, r := range w.acc(i) {
			w.load(mem(regB, v*w.bytes()), r, masked)
		}
		if i < w.rows-1 {
			ADDQ(rowBytes, regB)
		}
	}
	JMP(LabelRef(name + "Start"))
	Label(name + "Zero")
	for _, r := range w.regs[:n] {
		w.zero(r)
	}
	Label(name + "Start")
	MOVQ(mem(w.t, alongA), regA)
	w.rowsOfA()
	MOVQ(mem(w.t, alongAt), regB)
	MOVQ(mem(w.t, alongK), regK)
	Instruction(&pcalign)
	Label(name + "K")
	for b := 0; b < vectors*w.bytes(); b += line {
		PREFETCHT0(mem(regB, alongAhead+b))
	}
	for v, r := range w.b {
		w.load(mem(regB, v*w.bytes()), r, masked)
	}
	for i := range w.rows {
		w.multiply(rowOfA[i], w.b, w.acc(i), w.spare[i%len(w.spare)])
	}
	w.nextOfA()
	ADDQ(bStep, regB)
	DECQ(regK)
	JNZ(LabelRef(name + "K"))

	MOVQ(mem(w.t, alongCRow), rowBytes)
	CMPQ(mem(w.t, alongAdd), Imm(0))
	JE(LabelRef(name + "Store"))
	MOVQ(regC, regB)
	for i := range w.rows {
		for v, r := range w.acc(i) {
			w.add(mem(regB, v*w.bytes()), r, masked, w.b[v])
		}
		if i < w.rows-1 {
			ADDQ(rowBytes, regB)
		}
	}
	Label(name + "Store")
	MOVQ(regC, regB)
	for i := range w.rows {
		for v, r := range w.acc(i) {
			w.store(r, mem(regB, v*w.bytes()), masked)
		}
		if i < w.rows-1 {
			ADDQ(rowBytes, regB)
		}
	}
	ADDQ(U32(vectors*w.bytes()), regC)
	ADDQ(U32(vectors*w.bytes()), from)
	ADDQ(U32(vectors*w.bytes()), mem(w.t, alongAt))
	SUBQ(U32(vectors*w.lanes), columns)
}
