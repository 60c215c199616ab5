package cpu

import (
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// execMatMul computes a product. A product that sums over rows can span several frames: in
// a frame with Continues, it adds to the sum of the previous frames.
func execMatMul(a *arena, in *kernel.Instr, f *kernel.Frame) {
	var g simd.GemmArgs
	a.product(&g, in, f)
	g.Acc = in.I[2] == 1
	if g.Continue = in.Reduce && f.Continues; g.Continue && g.Acc {
		panic("cpu: matmul over rows: have accumulation in a frame with Continues, want one or the other")
	}
	a.dev.product.Run(&g)
}

// product sets the arguments of the matrix product of a MatMul or an Affine, without
// accumulation or bias. The parameter g must be zero. It is not a result, because copying
// what has just been written takes longer than setting it.
func (a *arena) product(g *simd.GemmArgs, in *kernel.Instr, f *kernel.Frame) {
	g.M, g.N = in.Extents(f)
	g.K, g.TA, g.TB, g.Packed = in.Inner(f), in.I[0] == 1, in.I[1] == 1, a.packed
	g.C, g.Ldc = a.arg(in, f, 0)
	g.A, g.Lda = a.arg(in, f, 1)
	g.B, g.Ldb = a.arg(in, f, 2)
}
