package cpu

import (
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

func execList(a *arena, in *kernel.Instr, f *kernel.Frame) {
	d, ldd := a.arg(in, f, 0)
	a.dev.kernels.List.Step(a.tape(in, f, 1, 2), d, ldd)
}

func execListGrad(a *arena, in *kernel.Instr, f *kernel.Frame) {
	var g simd.ListGradArgs
	g.Ds, g.Ldds = a.arg(in, f, 0)
	g.Left, _ = a.arg(in, f, 1)
	g.Right, _ = a.arg(in, f, 2)
	g.Insert, _ = a.arg(in, f, 3)
	g.Dy, g.Lddy = a.arg(in, f, 4)
	t := a.tape(in, f, 5, 6)
	from, to := in.NonzeroRows(f, t.D)
	g.Lo, g.Hi = max(from-t.P, 0), min(to+t.P, t.D)
	a.dev.kernels.List.Grad(t, g)
	if g.Hi-g.Lo == t.D {
		return
	}
	if all := a.minus0(t.C, g.Left, g.Right, g.Insert); all != [3]*float32{} {
		a.dev.kernels.List.Grad(t, simd.ListGradArgs{Left: all[0], Right: all[1], Insert: all[2], Dy: g.Dy, Lddy: g.Lddy, Hi: t.D})
		replaceMinus0(t.C, all, g.Left, g.Right, g.Insert)
	}
}

// tape returns the operands of a List or a ListGrad in the form that package simd takes. The
// parameter s is the number of the operand that holds the list. The parameter weights is the
// number of the first weight; the other weights and the inserted cell come after the first
// weight.
func (a *arena) tape(in *kernel.Instr, f *kernel.Frame, s, weights int) simd.ListArgs {
	t := simd.ListArgs{P: in.I[0], Head: in.I[1], Empty: in.F[0]}
	t.D, t.C = in.Extents(f)
	t.S, t.Lds = a.arg(in, f, s)
	t.Left, _ = a.arg(in, f, weights)
	t.Right, _ = a.arg(in, f, weights+1)
	t.Insert, _ = a.arg(in, f, weights+2)
	t.Noop, _ = a.arg(in, f, weights+3)
	t.V, t.Ldv = a.arg(in, f, weights+4)
	return t
}
