package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// execDropout runs a Dropout. Random numbers are below 1, so at a rate of 1 or more it
// drops every element.
func execDropout(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.place(in, f, 0, t)
	x, ldx := a.place(in, f, 1, t)
	c, ldc := a.place(in, f, 2, t)
	rows, cols := t.size()
	if !(in.F[0] < 1) {
		a.fill(d, 0, rows, cols, ldd)
		return
	}
	site := &a.dev.share.sites[t.worker]
	site.Drop(in)
	for r := range rows {
		site.At(unsafe.Slice(i32(simd.At(c, r*ldc)), 3))
		a.dev.kernels.Random.Dropout(simd.At(d, r*ldd), simd.At(x, r*ldx), cols, site)
	}
}

// execNoise runs a Noise. The coordinates of an element select its random word, as in a
// Dropout.
func execNoise(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.place(in, f, 0, t)
	x, ldx := a.place(in, f, 1, t)
	c, ldc := a.place(in, f, 2, t)
	rows, cols := t.size()
	site := &a.dev.share.sites[t.worker]
	site.Disturb(in)
	for r := range rows {
		site.At(unsafe.Slice(i32(simd.At(c, r*ldc)), 3))
		a.dev.kernels.Random.Noise(simd.At(d, r*ldd), simd.At(x, r*ldx), cols, site)
	}
}
