// Command lookup writes lookup_amd64.s: lookup of numbers in a table that fits in a
// register.
//
//	cd _asm && go run ./lookup -out ../lookup_amd64.s
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

func main() {
	ConstraintExpr("amd64,!purego")
	for _, s := range lane.Both() {
		lookup(s)
	}
	lane.Finish()
}

// lookup generates
//
//	dst[i] = table[ids[i]] // VPERMPS
func lookup(s lane.Set) {
	TEXT("lookup"+s.Name, NOSPLIT, "func(dst, table *float32, size int, ids *int32, n int)")
	dst, from, ids := Load(Param("dst"), GP64()), Load(Param("table"), GP64()), Load(Param("ids"), GP64())
	size, rem, off := Load(Param("size"), GP64()), Load(Param("n"), GP64()), GP64()
	table := s.Vec()
	s.Load(Mem{Base: from}, table, s.First(size))
	s.Blocks(rem, off, []int{4, 1}, func(u int, m *lane.Mask) {
		at := func(p reg.Register, i int) Mem { return Mem{Base: p, Index: off, Scale: 1, Disp: i * s.Bytes()} }
		for i := range u {
			v := s.Vec()
			s.Load(at(ids, i), v, m)
			VPERMPS(table, v, v)
			s.Store(v, at(dst, i), m)
		}
	})
	VZEROUPPER()
	RET()
}
