// Command stack writes stack_amd64.s: a step of the stacks and its gradient.
//
//	cd _asm && go run ./stack -out ../stack_amd64.s
package main

import (
	. "github.com/mmcloughlin/avo/build"

	"pushdown/harness/kernel/cpu/asm/lane"
)

func main() {
	ConstraintExpr("amd64,!purego")
	for _, s := range lane.Both() {
		step(s)
		grad(s)
	}
	Generate()
}
