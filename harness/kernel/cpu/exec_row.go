package cpu

import (
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

type groupFn = func(dst, x *float32, rows, n, ldd, ldx int)

// groups returns a routine that applies a kernel with one operand to groups of columns; I[0]
// of the instruction is the number of columns in a group. If a row is one group, or if all
// groups are adjacent, the routine calls the kernel once for all rows.
func groups(cost int, pick func(*simd.Kernels) groupFn) run {
	return split(alongRows, cost, func(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
		fn := pick(a.dev.kernels)
		d, ldd := a.place(in, f, 0, t)
		x, ldx := a.place(in, f, 1, t)
		rows, cols := t.size()
		n := in.I[0]
		switch {
		case n == cols:
			fn(d, x, rows, n, ldd, ldx)
		case ldd == cols && ldx == cols:
			fn(d, x, rows*(cols/n), n, n, n)
		default:
			for r := range rows {
				fn(simd.At(d, r*ldd), simd.At(x, r*ldx), cols/n, n, n, n)
			}
		}
	})
}

func execSoftmaxGrad(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	fn := a.dev.kernels.Row.SoftmaxGrad
	d, ldd := a.place(in, f, 0, t)
	y, ldy := a.place(in, f, 1, t)
	dy, lddy := a.place(in, f, 2, t)
	rows, cols := t.size()
	n := in.I[0]
	switch {
	case n == cols:
		fn(d, y, dy, rows, n, ldd, ldy, lddy)
	case ldd == cols && ldy == cols && lddy == cols:
		fn(d, y, dy, rows*(cols/n), n, n, n, n)
	default:
		for r := range rows {
			fn(simd.At(d, r*ldd), simd.At(y, r*ldy), simd.At(dy, r*lddy), cols/n, n, n, n, n)
		}
	}
}

func execCrossEntropy(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	loss, _ := a.arg(in, f, 0)
	x, ldx := a.place(in, f, 1, t)
	target, _ := a.arg(in, f, 2)
	rows, cols := t.size()
	a.dev.kernels.Row.Xent(simd.At(loss, t.r0), x, i32(simd.At(target, t.r0)), rows, cols, ldx)
}

// execCrossEntropyGrad computes the losses too, and discards them. Experiments have no
// instruction that computes only the gradient, so it has no kernel of its own.
func execCrossEntropyGrad(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.place(in, f, 0, t)
	x, ldx := a.place(in, f, 1, t)
	target, _ := a.arg(in, f, 2)
	dloss, _ := a.arg(in, f, 3)
	rows, cols := t.size()
	losses := &a.dev.share.losses[t.worker]
	for r := 0; r < rows; r += len(losses) {
		a.dev.kernels.Row.XentBoth(simd.At(d, r*ldd), &losses[0], simd.At(x, r*ldx), i32(simd.At(target, t.r0+r)), simd.At(dloss, t.r0+r),
			min(len(losses), rows-r), cols, ldd, ldx)
	}
}

func execCrossEntropyWithGrad(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.place(in, f, 0, t)
	loss, _ := a.arg(in, f, 1)
	x, ldx := a.place(in, f, 2, t)
	target, _ := a.arg(in, f, 3)
	dloss, _ := a.arg(in, f, 4)
	rows, cols := t.size()
	a.dev.kernels.Row.XentBoth(d, simd.At(loss, t.r0), x, i32(simd.At(target, t.r0)), simd.At(dloss, t.r0), rows, cols, ldd, ldx)
}
