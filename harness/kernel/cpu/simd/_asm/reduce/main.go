// Command reduce writes reduce_amd64.s: sums of columns and vectors, the sums of
// ScatterAdd, and kernels that move rows, such as gather and scatter.
//
//	cd _asm && go run ./reduce -out ../reduce_amd64.s
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
		colSum(s)
		dotLeaf(s)
		rowDot(s)
		gatherNumbers(s)
		sumRows(s)
		for _, m := range moves {
			m.write(s)
		}
		mix(s)
		mixGrad(s)
	}
	lane.Finish()
}

// arg loads an argument.
func arg(name string) reg.Register { return Load(Param(name), GP64()) }

// stride loads a row distance in bytes.
func stride(name string) reg.Register {
	r := arg(name)
	SHLQ(U8(2), r)
	return r
}

// chunk is the number of rows in a running sum.
const chunk = 256
