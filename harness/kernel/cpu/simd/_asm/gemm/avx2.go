package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// avx2 has no mask registers, so kernels that mask the last vector of a row keep its mask in
// Y15.
//
// A tile of 12 vectors of sums keeps both FMA units busy; one of 10 does not always, since
// each FMA waits for the one before it in the same sum. Four rows of three vectors are 12, as
// are six rows of two, but the number of strings in a batch is more often a multiple of four.
// So a panel has three vectors.
var avx2 = &isa{
	name:   "AVX2",
	lanes:  8,
	rows:   []int{1: 6, 2: 6, 3: 4, 4: 2},
	panel:  3,
	chunks: []int{1: 4, 2: 4, 3: 4, 4: 2},
	lowest: 4,
	regs:   []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15},
	mask: func(last Mem) {
		MOVQ(last, RAX)
		NEGQ(RAX)
		LEAQ(maskTable(), RBX)
		VMOVDQU(Mem{Base: RBX, Index: RAX, Scale: 4, Disp: 32}, Y15)
	},
	load: func(from Mem, to VecPhysical, masked bool) {
		if masked {
			VMASKMOVPS(from, Y15, to)
		} else {
			VMOVUPS(from, to)
		}
	},
	store: func(from VecPhysical, to Mem, masked bool) {
		if masked {
			VMASKMOVPS(from, Y15, to)
		} else {
			VMOVUPS(from, to)
		}
	},
	add: func(x Mem, to VecPhysical, masked bool, spare VecPhysical) {
		if masked {
			VMASKMOVPS(x, Y15, spare)
			VADDPS(to, spare, to)
		} else {
			VADDPS(x, to, to)
		}
	},
	zero: func(r VecPhysical) { VXORPS(r, r, r) },
	multiply: func(a Mem, b, acc []VecPhysical, spare VecPhysical) {
		VBROADCASTSS(a, spare)
		for v := range b {
			VFMADD231PS(spare, b[v], acc[v])
		}
	},
}

var masks *Mem

// maskTable returns eight words with all bits set, followed by eight words of 0. The vector
// that starts n words before the first 0 is the mask of n columns.
func maskTable() Mem {
	if masks == nil {
		m := GLOBL("gemmMask", 8|16) // RODATA|NOPTR
		for i := range 8 {
			DATA(4*i, U32(0xffffffff))
		}
		for i := range 8 {
			DATA(32+4*i, U32(0))
		}
		masks = &m
	}
	return *masks
}

// transpose2 generates the AVX2 version of the kernel that transpose512 generates. A vector
// of AVX2 has 8 elements instead of 16. So this kernel takes at most 8 rows, and each
// column that it writes has 8 elements.
func transpose2(name string) {
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
	x := avx2.regs[:8]
	y := []VecPhysical{Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
	masks := maskTable()
	Label("block")
	MOVQ(k, RAX)
	CMPQ(k, Imm(8))
	JLE(LabelRef("whole"))
	MOVL(U32(8), EAX)
	Label("whole")
	NEGQ(RAX)
	LEAQ(masks, RBX)
	VMOVDQU(Mem{Base: RBX, Index: RAX, Scale: 4, Disp: 32}, Y15)
	MOVQ(a, row)
	for i, r := range x {
		if i > 0 {
			CMPQ(rows, Imm(uint64(i)))
			JE(LabelRef(fmt.Sprintf("zero%d", i)))
		}
		VMASKMOVPS(mem(row, 0), Y15, r)
		ADDQ(aRow, row)
	}
	JMP(LabelRef("turn"))
	for i := 1; i < 8; i++ {
		Label(fmt.Sprintf("zero%d", i))
		VXORPS(x[i], x[i], x[i])
	}
	Label("turn")
	// Interleave pairs of rows, then pairs of pairs, then move halves of vectors.
	for i := 0; i < 8; i += 2 {
		VUNPCKLPS(x[i+1], x[i], y[i])
		VUNPCKHPS(x[i+1], x[i], y[i+1])
	}
	for i := 0; i < 8; i += 4 {
		VUNPCKLPD(y[i+2], y[i], x[i])
		VUNPCKHPD(y[i+2], y[i], x[i+1])
		VUNPCKLPD(y[i+3], y[i+1], x[i+2])
		VUNPCKHPD(y[i+3], y[i+1], x[i+3])
	}
	for i := range 4 {
		VPERM2F128(Imm(0x20), x[i+4], x[i], y[i])
		VPERM2F128(Imm(0x31), x[i+4], x[i], y[i+4])
	}
	storeColumns(y, c, k, cRow)
	ADDQ(Imm(32), a)
	SUBQ(Imm(8), k)
	JG(LabelRef("block"))
	Label("done")
	VZEROUPPER()
	RET()
}

func init() { avx2.transpose = transpose2 }
