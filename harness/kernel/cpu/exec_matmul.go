package cpu

import (
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// execMatMul computes a product. A product that sums over rows can span several frames: in
// a frame with Continues, it adds to the sum of the previous frames.
func execMatMul(a *arena, in *kernel.Instr, f *kernel.Frame) {
	g := a.product(in, f)
	g.Acc = in.I[2] == 1
	if g.Continue = in.Reduce && f.Continues; g.Continue && g.Acc {
		panic("cpu: matmul over rows: have accumulation in a frame with Continues, want one or the other")
	}
	a.dev.product.Run(&g)
}

// product returns the arguments of the matrix product of a MatMul or an Affine, without
// accumulation or bias.
func (a *arena) product(in *kernel.Instr, f *kernel.Frame) simd.GemmArgs {
	rows, cols := in.Extents(f)
	g := simd.GemmArgs{M: rows, N: cols, K: in.Inner(f), TA: in.I[0] == 1, TB: in.I[1] == 1, Packed: a.packed}
	g.C, g.Ldc = a.arg(in, f, 0)
	g.A, g.Lda = a.arg(in, f, 1)
	g.B, g.Ldb = a.arg(in, f, 2)
	return g
}
