package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// rows writes a kernel that reads t.K rows, each of the given number of vectors. The last
// vector of a row has t.Last columns. The kernel either copies the rows to a panel or adds
// them to C. A panel is the packed form of some columns of a matrix, with zeros for missing
// columns:
//
//	for i, v := range t.K x vectors { C[i,v] = A[i,v] }
//	for i, v := range t.K x vectors { C[i,v] = C[i,v] + A[i,v] }
func rows(s *isa, name string, vectors int, add bool) {
	TEXT(name, NOSPLIT, "func(t *byte)")
	Pragma("noescape")
	t := Load(Param("t"), RDI).(GPPhysical)
	a, c, k, aRow, cRow := RSI, RDX, RCX, R8, R9
	MOVQ(mem(t, offA), a)
	MOVQ(mem(t, offC), c)
	MOVQ(mem(t, offK), k)
	MOVQ(mem(t, offARow), aRow)
	MOVQ(mem(t, offCRow), cRow)
	s.mask(mem(t, offLast))
	Label("next")
	for v := range vectors {
		x, y := s.regs[v], s.regs[vectors+v]
		masked := v == vectors-1
		s.load(mem(a, v*s.bytes()), x, masked)
		if add {
			s.load(mem(c, v*s.bytes()), y, masked)
			VADDPS(x, y, x)
		}
		s.store(x, mem(c, v*s.bytes()), masked && add)
	}
	ADDQ(aRow, a)
	ADDQ(cRow, c)
	DECQ(k)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}
