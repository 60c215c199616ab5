package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// bounds holds the registers for bounding ds: a mask of all bits but the sign, the
// least magnitude that is not flushed to zero, and the bounds of the clip.
type bounds struct{ size, least, lo, hi reg.VecVirtual }

// hold sets small numbers in the register t to +0, as FlushSmall does, and then clips the
// numbers, as Clip does. AVX-512 only.
func (b *bounds) hold(t reg.VecVirtual) {
	magnitude, k := ZMM(), K()
	VANDPS(b.size, t, magnitude)
	VCMPPS(U8(0x15), b.least, magnitude, k) // not less
	VMOVAPS_Z(t, k, t)
	VMAXPS(t, b.lo, t)
	VMINPS(t, b.hi, t)
}
