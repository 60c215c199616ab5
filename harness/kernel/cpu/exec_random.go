package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
	"pushdown/harness/rng"
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
	site.Begin(in)
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
	stream := rng.FromKey([2]uint32{uint32(in.I[0]), uint32(in.I[1])})
	for r := range rows {
		coord := unsafe.Slice(i32(simd.At(c, r*ldc)), 3)
		dst := simd.Line(d, r, ldd, cols)
		var block [4]uint32
		for j, v := range simd.Line(x, r, ldx, cols) {
			if j%4 == 0 {
				block = stream.Block(rng.At{Unit: uint32(j / 4), Row: uint32(coord[0]), T: uint32(coord[1]), Update: uint32(coord[2])})
			}
			dst[j] = v + (in.F[0] + float32(in.F[1]*rng.StandardNormal(block[j%4])))
		}
	}
}
