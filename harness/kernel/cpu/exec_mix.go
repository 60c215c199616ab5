package cpu

import (
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

func execWeightedSum(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	rows, n := t.size()
	d, ldd := a.place(in, f, 0, t)
	w, ldw := a.place(in, f, 1, t)
	x, ldx := a.place(in, f, 2, t)
	a.dev.kernels.Reduce.Mix(d, w, x, rows, in.I[0], n, ldd, ldw, ldx)
}

// execWeightedSumGradW computes the inner products of dy with each of the in.I[0] blocks of
// x. Each inner product is summed in the order that the numeric contract states for a sum
// along a row.
func execWeightedSumGradW(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	rows, n := t.size()
	d, ldd := a.place(in, f, 0, t)
	x, ldx := a.place(in, f, 1, t)
	y, ldy := a.place(in, f, 2, t)
	for r := range rows {
		a.dev.kernels.Stack.RowDot(simd.At(d, r*ldd), simd.At(x, r*ldx), simd.At(y, r*ldy), in.I[0], n, n, 0)
	}
}

func execWeightedSumGradX(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	rows, n := t.size()
	d, ldd := a.place(in, f, 0, t)
	w, ldw := a.place(in, f, 1, t)
	y, ldy := a.place(in, f, 2, t)
	a.dev.kernels.Reduce.MixGrad(d, w, y, rows, in.I[0], n, ldd, ldw, ldy)
}
