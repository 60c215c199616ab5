package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
)

// execMix computes, for each row, t = w[0]*x[0] and then t = fma(w[a], x[a], t)
// for the other blocks in rising order.
func execMix(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	rows, n := t.size()
	d, ldd := a.place(in, f, 0, t)
	w, ldw := a.place(in, f, 1, t)
	x, ldx := a.place(in, f, 2, t)
	for r := range rows {
		dst := unsafe.Slice(at(d, r*ldd), n)
		weight := unsafe.Slice(at(w, r*ldw), in.I[0])
		a.dev.kernels.vec.scale(at(d, r*ldd), at(x, r*ldx), weight[0], n)
		for b, wb := range weight[1:] {
			block := unsafe.Slice(at(x, r*ldx+(b+1)*n), n)
			for j, v := range block {
				dst[j] = fma(wb, v, dst[j])
			}
		}
	}
}

// execMixGradWeights is the inner product of each block with dy, a sum along a
// row.
func execMixGradWeights(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	rows, n := t.size()
	d, ldd := a.place(in, f, 0, t)
	x, ldx := a.place(in, f, 1, t)
	y, ldy := a.place(in, f, 2, t)
	for b := range in.I[0] {
		for r := range rows {
			a.dev.kernels.stack.rowDot(at(d, r*ldd+b), at(x, r*ldx+b*n), at(y, r*ldy), 1, n, ldx, ldy)
		}
	}
}

func execMixGradBlocks(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	rows, n := t.size()
	d, ldd := a.place(in, f, 0, t)
	w, ldw := a.place(in, f, 1, t)
	y, ldy := a.place(in, f, 2, t)
	for r := range rows {
		for b := range in.I[0] {
			a.dev.kernels.vec.scale(at(d, r*ldd+b*n), at(y, r*ldy), *at(w, r*ldw+b), n)
		}
	}
}
