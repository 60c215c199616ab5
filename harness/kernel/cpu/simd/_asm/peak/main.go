// Command peak writes peak_amd64.s: loops of independent FMAs on registers, which keep
// the FMA units of a core busy.
//
//	cd _asm && go run ./peak -out ../peak_amd64.s
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// sums is the number of running sums. An FMA takes up to five cycles, and a core starts
// up to two FMAs per cycle. So with twelve sums, no FMA waits for an earlier one.
const sums = 12

func main() {
	ConstraintExpr("amd64,!purego")
	y := []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13}
	z := []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13}
	peak("peakAVX2", y, func(r VecPhysical) { VXORPS(r, r, r) })
	peak("peakAVX512", z, func(r VecPhysical) { VPXORD(r, r, r) })
	lane.Finish()
}

// peak generates the loop below. All registers hold +0.
//
//	for range n { for i := range sum { sum[i] = FMA(x, y, sum[i]) } }
func peak(name string, regs []VecPhysical, zero func(VecPhysical)) {
	TEXT(name, NOSPLIT, "func(n int)")
	n := Load(Param("n"), GP64())
	for _, r := range regs {
		zero(r)
	}
	Label("next")
	for _, r := range regs[:sums] {
		VFMADD231PS(regs[sums], regs[sums+1], r)
	}
	DECQ(n)
	JNZ(LabelRef("next"))
	VZEROUPPER()
	RET()
}
