// Command stack writes stack_amd64.s: a step of the stacks and its gradient.
//
//	cd _asm && go run ./stack -out ../stack_amd64.s
package main

import (
	. "github.com/mmcloughlin/avo/build"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

func main() {
	ConstraintExpr("amd64,!purego")
	declareSmallNumbers()
	sets := lane.Both()
	for _, s := range sets {
		step(s)
		grad(s, false)
	}
	grad(sets[1], true)
	avx2 := sets[0]
	transposeBlocks(avx2)
	transposeNarrow(avx2)
	transposeFlat(avx2)
	lane.Finish()
}
