package cpu

import (
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// affineWords is the number of words of the product that execAffine computes per thread
// before it adds the bias to them. That many words fit in the L2 cache of the thread.
const affineWords = 1 << 17

// execAffine computes the product for some columns at a time and adds the bias to
// these columns while they are in the cache.
func execAffine(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	if rows == 0 || cols == 0 {
		return
	}
	var g simd.GemmArgs
	a.product(&g, in, f)
	bias, _ := a.arg(in, f, 3)
	width := max(affineWords*a.dev.team.n/rows/simd.BlockCols, 1) * simd.BlockCols
	width -= width % a.dev.product.Contexts[0].PackedPanel() // if the weights are packed, every part must start at a panel
	a.dev.affine = biased{c: g.C, bias: bias, ldc: g.Ldc}
	for c := 0; c < cols; c += width {
		to := min(c+width, cols)
		p := g.Part(0, rows, c, to)
		a.dev.product.Run(&p)
		t := tile{r1: rows, c0: c, c1: to}
		if work := rows * (to - c) * addRowCost; work >= a.dev.share.least {
			a.dev.share.run(a, in, f, t, anywhere, work, addBias)
		} else {
			addBias(a, in, f, t)
		}
	}
}

// biased is a product whose bias has not been added.
type biased struct {
	c, bias *float32
	ldc     int
}

func addBias(a *arena, _ *kernel.Instr, _ *kernel.Frame, t tile) {
	b := &a.dev.affine
	rows, cols := t.size()
	c := simd.At(b.c, t.r0*b.ldc+t.c0)
	a.dev.kernels.Reduce.AddRow(c, c, simd.At(b.bias, t.c0), rows, cols, b.ldc, b.ldc)
}
