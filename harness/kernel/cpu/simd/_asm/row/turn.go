package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/math"
)

// sixteen calls body for each of the 16 rows of a full group. Eight vectors of AVX-512 hold
// the rows, two in each: vector v holds rows v and v+4 if v < 4, and rows v+4 and v+8
// otherwise. The arguments of body are the number of the vector, an address, and whether the
// row is in the upper half of the vector. The address is that of the row, less 32 bytes for
// the upper half, so that a masked access to the whole vector reaches the row.
func (s *short) sixteen(o *operand, body func(vector int, at Mem, upper bool)) {
	p, three := copyOf(o.at), GP64()
	LEAQ(Mem{Base: o.row, Index: o.row, Scale: 2}, three)
	for block := range 4 {
		for i, at := range []Mem{{Base: p}, {Base: p, Index: o.row, Scale: 1}, {Base: p, Index: o.row, Scale: 2}, {Base: p, Index: three, Scale: 1}} {
			upper := block%2 == 1
			if upper {
				at.Disp = -32
			}
			body(block/2*4+i, at, upper)
		}
		LEAQ(Mem{Base: p, Index: o.row, Scale: 4}, p)
	}
}

// halves returns the masks of n columns in the lower and in the upper half of a
// vector.
func (s *short) halves() (low, high reg.Register) {
	ones := GP32()
	MOVL(I32(-1), ones)
	BZHIL(s.n.As32(), ones, ones)
	low, high = K(), K()
	KMOVW(ones, low)
	SHLL(U8(8), ones)
	KMOVW(ones, high)
	return low, high
}

// fetch loads 16 rows and stores each column as a vector of its own in scratch memory. Missing
// columns are zero.
func (s *short) fetch(x *operand) {
	low, high := s.halves()
	rows := make([]math.Vec, 8)
	for i := range rows {
		rows[i] = s.Vec()
	}
	s.sixteen(x, func(v int, at Mem, upper bool) {
		if upper {
			VMOVUPS(at, high, rows[v])
		} else {
			VMOVUPS_Z(at, low, rows[v])
		}
	})
	first, last := quads(s.Lane, rows[:4]), quads(s.Lane, rows[4:])
	for c := range 4 {
		even, odd := s.Vec(), s.Vec()
		VSHUFF64X2(U8(0x88), last[c], first[c], even)
		VSHUFF64X2(U8(0xdd), last[c], first[c], odd)
		s.Store(even, s.slot(c), nil)
		s.Store(odd, s.slot(c+4), nil)
	}
}

// spill is the inverse of fetch: it reads the columns from scratch memory and stores them in
// 16 rows.
func (s *short) spill(dst *operand) {
	var first, last []math.Vec
	for c := range 4 {
		a, b := s.Load(s.slot(c), nil), s.Load(s.slot(c+4), nil)
		f, l := s.Vec(), s.Vec()
		VSHUFF64X2(U8(0x44), b, a, f)
		VSHUFF64X2(U8(0xee), b, a, l)
		first, last = append(first, f), append(last, l)
	}
	rows := append(quads(s.Lane, first), quads(s.Lane, last)...)
	for _, v := range rows {
		VSHUFF64X2(U8(0xd8), v, v, v)
	}
	low, high := s.halves()
	s.sixteen(dst, func(v int, at Mem, upper bool) {
		switch {
		case v == 7 && upper:
			s.exact(rows[v], at.Offset(32))
		case upper:
			VMOVUPS(rows[v], high, at)
		default:
			VMOVUPS(rows[v].AsY(), low, at)
		}
	})
}

// exact stores the upper half of v, which is a row of 4 to 8 columns, at the given
// address. It does not use a masked store: if dst is the input, the next group may
// begin directly behind the row, and loading that group would wait for a masked store.
func (s *short) exact(v math.Vec, at Mem) {
	row, rest, p := YMM(), XMM(), GP64()
	LEAQ(at, p)
	VEXTRACTF64X4(U8(1), v, row)
	narrow, one, end := label("narrow"), label("one"), label("end")
	TESTQ(U32(8), s.n)
	JZ(LabelRef(narrow))
	VMOVUPS(row, Mem{Base: p})
	JMP(LabelRef(end))
	Label(narrow)
	VMOVUPS(row.AsX(), Mem{Base: p})
	VEXTRACTF32X4(U8(1), row, rest)
	ADDQ(Imm(16), p)
	TESTQ(U32(2), s.n)
	JZ(LabelRef(one))
	VMOVLPS(rest, Mem{Base: p})
	VPERMILPS(U8(0x0e), rest, rest)
	ADDQ(Imm(8), p)
	Label(one)
	TESTQ(U32(1), s.n)
	JZ(LabelRef(end))
	VMOVSS(rest, Mem{Base: p})
	Label(end)
}

// quads transposes four matrices of 4 by 4 numbers. A matrix occupies the same 128 bits
// of the four vectors.
func quads(s math.Lane, v []math.Vec) []math.Vec {
	var pair, quad [4]math.Vec
	for i := range pair {
		pair[i], quad[i] = s.Vec(), s.Vec()
	}
	VUNPCKLPS(v[1], v[0], pair[0])
	VUNPCKHPS(v[1], v[0], pair[1])
	VUNPCKLPS(v[3], v[2], pair[2])
	VUNPCKHPS(v[3], v[2], pair[3])
	VUNPCKLPD(pair[2], pair[0], quad[0])
	VUNPCKHPD(pair[2], pair[0], quad[1])
	VUNPCKLPD(pair[3], pair[1], quad[2])
	VUNPCKHPD(pair[3], pair[1], quad[3])
	return quad[:]
}
