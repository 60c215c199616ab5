package cpu

import "pushdown/harness/kernel"

func execList(a *arena, in *kernel.Instr, f *kernel.Frame) {
	d, ldd := a.arg(in, f, 0)
	a.dev.kernels.list.step(a.tape(in, f, 1, 2), d, ldd)
}

func execListGrad(a *arena, in *kernel.Instr, f *kernel.Frame) {
	var g tapeGrad
	g.ds, g.ldds = a.arg(in, f, 0)
	g.left, _ = a.arg(in, f, 1)
	g.right, _ = a.arg(in, f, 2)
	g.insert, _ = a.arg(in, f, 3)
	g.dy, g.lddy = a.arg(in, f, 4)
	t := a.tape(in, f, 5, 6)
	from, to := in.NonzeroRows(f, t.D)
	g.lo, g.hi = max(from-t.p, 0), min(to+t.p, t.D)
	a.dev.kernels.list.grad(t, g)
	if g.hi-g.lo < t.D && (hasMinus0(g.left, t.C) || hasMinus0(g.right, t.C) || hasMinus0(g.insert, t.C)) {
		g.ds, g.lo, g.hi = nil, 0, t.D
		a.dev.kernels.list.grad(t, g)
	}
}

// tape reads the operands of a tape: s, and the weights and v from the operand
// weights on.
func (a *arena) tape(in *kernel.Instr, f *kernel.Frame, s, weights int) tape {
	t := tape{p: in.I[0], head: in.I[1], empty: in.F[0]}
	t.D, t.C = in.Extents(f)
	t.s, t.lds = a.arg(in, f, s)
	t.left, _ = a.arg(in, f, weights)
	t.right, _ = a.arg(in, f, weights+1)
	t.insert, _ = a.arg(in, f, weights+2)
	t.noop, _ = a.arg(in, f, weights+3)
	t.v, t.ldv = a.arg(in, f, weights+4)
	return t
}
