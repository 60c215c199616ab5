package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// rowsFrom holds the addresses of eight rows: row i is at p + i*ld. p4 is p + 4*ld,
// ld3 is 3*ld.
type rowsFrom struct{ p, p4, ld, ld3 reg.Register }

func newRowsFrom(ld reg.Register) rowsFrom {
	r := rowsFrom{GP64(), GP64(), ld, GP64()}
	LEAQ(Mem{Base: ld, Index: ld, Scale: 2}, r.ld3)
	return r
}

func (r rowsFrom) set(p reg.Register) {
	MOVQ(p, r.p)
	LEAQ(Mem{Base: p, Index: r.ld, Scale: 4}, r.p4)
}

func (r rowsFrom) at(i int) Mem {
	p := r.p
	if i >= 4 {
		p, i = r.p4, i-4
	}
	switch i {
	case 0:
		return Mem{Base: p}
	case 3:
		return Mem{Base: p, Index: r.ld3, Scale: 1}
	}
	return Mem{Base: p, Index: r.ld, Scale: uint8(i)}
}

// fours transposes a matrix of four rows of four numbers in the lower halves of the
// registers, and another in the upper halves.
func fours(s lane.Set, in []reg.VecVirtual) []reg.VecVirtual {
	t, out := s.Vecs(4), s.Vecs(4)
	VUNPCKLPS(in[1], in[0], t[0])
	VUNPCKHPS(in[1], in[0], t[1])
	VUNPCKLPS(in[3], in[2], t[2])
	VUNPCKHPS(in[3], in[2], t[3])
	VUNPCKLPD(t[2], t[0], out[0])
	VUNPCKHPD(t[2], t[0], out[1])
	VUNPCKLPD(t[3], t[1], out[2])
	VUNPCKHPD(t[3], t[1], out[3])
	return out
}

// transposeBlocks transposes a matrix in blocks of 8 by 8. Both extents must be multiples
// of 8.
func transposeBlocks(s lane.Set) {
	TEXT("transposeBlocks", NOSPLIT, "func(dst, x *float32, rows, cols, ldd, ldx int)")
	ld := strides("ldd", "ldx")
	to, from := newRowsFrom(ld[0]), newRowsFrom(ld[1])
	dst, x, rows := Load(Param("dst"), GP64()), Load(Param("x"), GP64()), Load(Param("rows"), GP64())
	SHRQ(U8(3), rows)
	lane.Loop(rows, func() {
		cols := Load(Param("cols"), GP64())
		SHRQ(U8(3), cols)
		from.set(x)
		to.set(dst)
		lane.Loop(cols, func() {
			// Columns 0 to 3 of all rows, then columns 4 to 7: rows i and i+4
			// share a register.
			for half := range 2 {
				in := s.Vecs(4)
				for i := range in {
					VMOVUPS(from.at(i).Offset(16*half), in[i].AsX())
					VINSERTF128(Imm(1), from.at(i+4).Offset(16*half), in[i], in[i])
				}
				for i, v := range fours(s, in) {
					VMOVUPS(v, to.at(4*half+i))
				}
			}
			ADDQ(U32(32), from.p)
			ADDQ(U32(32), from.p4)
			LEAQ(Mem{Base: to.p, Index: to.ld, Scale: 8}, to.p)
			LEAQ(Mem{Base: to.p4, Index: to.ld, Scale: 8}, to.p4)
		})
		ADDQ(U32(32), dst)
		LEAQ(Mem{Base: x, Index: from.ld, Scale: 8}, x)
	})
	VZEROUPPER()
	RET()
}

// transposeNarrow transposes a matrix of 1 to 4 columns. The number of rows must be a
// multiple of 8.
func transposeNarrow(s lane.Set) {
	TEXT("transposeNarrow", NOSPLIT, "func(dst, x *float32, rows, cols, ldd, ldx int)")
	ld := strides("ldd", "ldx")
	to, from := newRowsFrom(ld[0]), newRowsFrom(ld[1])
	dst, x, rows, cols := Load(Param("dst"), GP64()), Load(Param("x"), GP64()), Load(Param("rows"), GP64()), Load(Param("cols"), GP64())
	m := s.First(cols)
	SHRQ(U8(3), rows)
	lane.Loop(rows, func() {
		from.set(x)
		to.set(dst)
		in := s.Vecs(4)
		for i := range in {
			high := YMM()
			s.LoadShort(from.at(i), in[i], m)
			s.LoadShort(from.at(i+4), high, m)
			VINSERTF128(Imm(1), high.AsX(), in[i], in[i])
		}
		stored := lane.Fresh("stored")
		for i, v := range fours(s, in) {
			if i > 0 {
				CMPQ(cols, Imm(uint64(i)))
				JLE(LabelRef(stored))
			}
			VMOVUPS(v, to.at(i))
		}
		Label(stored)
		ADDQ(U32(32), dst)
		LEAQ(Mem{Base: x, Index: from.ld, Scale: 8}, x)
	})
	VZEROUPPER()
	RET()
}

// transposeFlat transposes a matrix of 1 to 4 rows. The number of columns must be a
// multiple of 8.
func transposeFlat(s lane.Set) {
	TEXT("transposeFlat", NOSPLIT, "func(dst, x *float32, rows, cols, ldd, ldx int)")
	ld := strides("ldd", "ldx")
	to, from := newRowsFrom(ld[0]), newRowsFrom(ld[1])
	dst, x, rows, cols := Load(Param("dst"), GP64()), Load(Param("x"), GP64()), Load(Param("rows"), GP64()), Load(Param("cols"), GP64())
	m := s.First(rows)
	SHRQ(U8(3), cols)
	lane.Loop(cols, func() {
		from.set(x)
		to.set(dst)
		in := s.Zeros(4)
		loaded := lane.Fresh("loaded")
		for i, v := range in {
			if i > 0 {
				CMPQ(rows, Imm(uint64(i)))
				JLE(LabelRef(loaded))
			}
			VMOVUPS(from.at(i), v)
		}
		Label(loaded)
		for i, v := range fours(s, in) {
			s.StoreShort(v, to.at(i), m)
			VEXTRACTF128(Imm(1), v, v.AsX())
			s.StoreShort(v, to.at(i+4), m)
		}
		ADDQ(U32(32), x)
		LEAQ(Mem{Base: dst, Index: to.ld, Scale: 8}, dst)
	})
	VZEROUPPER()
	RET()
}
