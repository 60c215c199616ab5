package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx512 keeps the mask of the last vector in K1.
var avx512 = &isa{
	name:   "AVX512",
	lanes:  16,
	rows:   []int{1: 14, 2: 14, 3: 9, 4: 6},
	panel:  2,
	chunks: []int{1: 4, 2: 4, 3: 4, 4: 2},
	lowest: 10,
	regs: []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31},
	mask: func(last Mem) {
		MOVQ(last, RBX)
		MOVL(U32(0xffff), EAX)
		BZHIL(EBX, EAX, EAX)
		KMOVW(EAX, K1)
	},
	load: func(from Mem, to VecPhysical, masked bool) {
		if masked {
			VMOVUPS_Z(from, K1, to)
		} else {
			VMOVUPS(from, to)
		}
	},
	store: func(from VecPhysical, to Mem, masked bool) {
		if masked {
			VMOVUPS(from, K1, to)
		} else {
			VMOVUPS(from, to)
		}
	},
	add: func(x Mem, to VecPhysical, masked bool, _ VecPhysical) {
		if masked {
			VADDPS(x, to, K1, to)
		} else {
			VADDPS(x, to, to)
		}
	},
	zero: func(r VecPhysical) { VPXORD(r, r, r) },
	multiply: func(a Mem, b, acc []VecPhysical, spare VecPhysical) {
		if len(b) == 1 {
			VFMADD231PS_BCST(a, b[0], acc[0])
			return
		}
		VBROADCASTSS(a, spare)
		for v := range b {
			VFMADD231PS(spare, b[v], acc[v])
		}
	},
}

// transpose512 generates a kernel that copies up to 16 rows of a matrix to columns.
// There are t.Tiles rows of t.K elements. They start at t.A and are t.ARow bytes apart.
// The t.K columns start at t.C and are t.CRow bytes apart. Each column has 16 elements,
// with zeros for missing rows:
//
//	for k, i := range t.K x 16 {
//		C[k,i] = i < t.Tiles ? A[i,k] : 0
//	}
func transpose512(name string) {
	TEXT(name, NOSPLIT, "func(t *byte)")
	Pragma("noescape")
	t := Load(Param("t"), RDI).(GPPhysical)
	a, c, k, aRow, cRow, rows, row := RSI, RDX, RCX, R8, R9, R10, R11
	MOVQ(mem(t, offA), a)
	MOVQ(mem(t, offC), c)
	MOVQ(mem(t, offK), k)
	MOVQ(mem(t, offARow), aRow)
	MOVQ(mem(t, offCRow), cRow)
	MOVQ(mem(t, offTiles), rows)
	x, y := avx512.regs[:16], avx512.regs[16:]
	for _, r := range x {
		VPXORD(r, r, r)
	}
	Label("block")
	MOVL(U32(0xffff), EAX)
	CMPQ(k, Imm(16))
	JGE(LabelRef("whole"))
	BZHIL(ECX, EAX, EAX)
	Label("whole")
	KMOVW(EAX, K1)
	MOVQ(a, row)
	for i, r := range x {
		if i > 0 {
			CMPQ(rows, Imm(uint64(i)))
			JE(LabelRef(fmt.Sprintf("zero%d", i)))
		}
		VMOVUPS_Z(mem(row, 0), K1, r)
		ADDQ(aRow, row)
	}
	JMP(LabelRef("turn"))
	for i := 1; i < 16; i++ {
		Label(fmt.Sprintf("zero%d", i))
		VPXORD(x[i], x[i], x[i])
	}
	Label("turn")
	// Transpose 16 by 16 elements. The first two loops transpose every block of 4 by 4
	// elements: they interleave single elements of two vectors, then pairs of elements. The
	// other loops move whole groups of 4 elements between the vectors.
	for i := 0; i < 16; i += 2 {
		VUNPCKLPS(x[i+1], x[i], y[i])
		VUNPCKHPS(x[i+1], x[i], y[i+1])
	}
	for i := 0; i < 16; i += 4 {
		VUNPCKLPD(y[i+2], y[i], x[i])
		VUNPCKHPD(y[i+2], y[i], x[i+1])
		VUNPCKLPD(y[i+3], y[i+1], x[i+2])
		VUNPCKHPD(y[i+3], y[i+1], x[i+3])
	}
	for i := range 4 {
		VSHUFF32X4(Imm(0x88), x[i+4], x[i], y[i])
		VSHUFF32X4(Imm(0xdd), x[i+4], x[i], y[i+4])
		VSHUFF32X4(Imm(0x88), x[i+12], x[i+8], y[i+8])
		VSHUFF32X4(Imm(0xdd), x[i+12], x[i+8], y[i+12])
	}
	for i := range 8 {
		VSHUFF32X4(Imm(0x88), y[i+8], y[i], x[i])
		VSHUFF32X4(Imm(0xdd), y[i+8], y[i], x[i+8])
	}
	storeColumns(x, c, k, cRow)
	ADDQ(Imm(64), a)
	SUBQ(Imm(16), k)
	JG(LabelRef("block"))
	Label("done")
	VZEROUPPER()
	RET()
}

// storeColumns stores the vectors x, or only the first k of them if k is less than
// their number. The first vector is stored at c, and each vector cRow bytes after the
// previous one.
func storeColumns(x []VecPhysical, c, k, cRow GPPhysical) {
	CMPQ(k, Imm(uint64(len(x))))
	JL(LabelRef("few"))
	for _, r := range x {
		VMOVUPS(r, mem(c, 0))
		ADDQ(cRow, c)
	}
	JMP(LabelRef("stored"))
	Label("few")
	for i, r := range x[:len(x)-1] {
		VMOVUPS(r, mem(c, 0))
		CMPQ(k, Imm(uint64(i+1)))
		JE(LabelRef("done"))
		ADDQ(cRow, c)
	}
	Label("stored")
}

func init() { avx512.transpose = transpose512 }
