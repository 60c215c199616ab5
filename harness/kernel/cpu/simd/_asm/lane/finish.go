package lane

import (
	"fmt"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// Finish is like avo's Generate, but lets only routines with AVX512 in their names use
// the registers of AVX-512. Otherwise avo could assign X16 to a routine with more than
// 16 live vectors. Instructions that use X16 have an EVEX encoding, which most processors
// do not support.
func Finish() {
	pass.Compile = pass.Concat(pass.Compile, pass.FunctionPass(checkRegisters))
	build.Generate()
}

// checkRegisters returns an error if a routine without AVX512 in its name uses a vector
// register above 15 or a mask register. The allocator always chooses the free register
// with the lowest number, so an error means that 16 registers are not enough.
func checkRegisters(fn *ir.Function) error {
	if strings.Contains(fn.Name, "AVX512") {
		return nil
	}
	for _, i := range fn.Instructions() {
		for _, r := range i.Registers() {
			p := reg.ToPhysical(r)
			if p.Kind() == reg.KindOpmask || p.Kind() == reg.KindVector && p.PhysicalIndex() > 15 {
				return fmt.Errorf("%s: %s uses %s, which AVX-512 alone has; without AVX512 in its name a routine has X0 to X15 and Y0 to Y15", fn.Name, i.Opcode, p.Asm())
			}
		}
	}
	return nil
}
