package cpu

import (
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// fuseStack fuses the gradient of a step of stacks with the two operations that can
// follow it, which set small numbers of the carried gradient to zero and clip it:
//
//	stackgrad, [flushsmall], [clip]
//
// At least one of the two operations must follow. The stacks must have 2 to 256 cells of one
// number each, and the [kernel.NonzeroRange] of the operations that follow must start at the
// top of the stacks.
func (a *arena) fuseStack(list []oneRow) (s oneRow, used int) {
	grad := list[0].in
	bounded := a.dev.kernels.Stack.Bounded
	if bounded == nil || grad.Op != kernel.StackGrad || grad.Nonzero == nil || grad.I[0] != 1 || grad.W < 2 || grad.W > simd.GemmChunk ||
		grad.S == 0 || grad.Args[0].Slot == kernel.Absent {
		return s, 0
	}
	at, reach := grad.Args[0], *grad.Nonzero
	whole := kernel.NonzeroRange{From: reach.From - reach.Step, To: reach.To + reach.Step, Step: reach.Step}
	bounds := &simd.StackGradArgs{P: 1, C: grad.S, Empty: grad.F[0], First: 1, Lo: unbounded[0], Hi: unbounded[1]}
	used = 1
	for _, op := range []kernel.Op{kernel.FlushSmall, kernel.Clip} {
		if used == len(list) {
			break
		}
		in := list[used].in
		if in.Op != op || in.Form != kernel.StackMajor || in.W != grad.W || in.S != grad.S || in.Args[0] != at || in.Args[1] != at ||
			in.Nonzero == nil || *in.Nonzero != whole || whole.From > 0 || reach.Step != 1 {
			continue
		}
		if op == kernel.FlushSmall {
			bounds.Least = in.F[0]
		} else {
			bounds.Lo, bounds.Hi = in.F[0], in.F[1]
		}
		used++
	}
	if used == 1 {
		return s, 0
	}
	s = list[0]
	bounds.Ldds, bounds.Lddy, bounds.Lds, bounds.Ldv = s.args[0].ld, s.args[5].ld, s.args[6].ld, s.args[10].ld
	s.fused = &fusedOps{stack: bounds}
	s.run = oneRowBounded
	return s, used
}

func oneRowBounded(s *oneRow, f *kernel.Frame) {
	in, a, k := s.in, s.fused.stack, &s.a.dev.kernels.Stack
	a.Ds, a.Dpush, a.Dpop, a.Dnoop = s.at(0, f), s.maybe(1, f), s.maybe(2, f), s.maybe(3, f)
	a.Dy, a.S, a.V = s.at(5, f), s.at(6, f), s.at(10, f)
	a.Push, a.Pop, a.Noop = s.at(7, f), s.at(8, f), s.maybe(9, f)
	a.Sums = 0
	if a.Dpush != nil || a.Dpop != nil || a.Dnoop != nil {
		a.Sums = 1
	}
	_, reach := in.NonzeroRows(f, in.W)
	reach = min(reach+1, in.W)
	a.Inner, a.Last = reach-1, 0
	if reach == in.W {
		a.Inner, a.Last = reach-2, 1
	}
	k.Bounded(a)
	if dv := s.maybe(4, f); dv != nil {
		k.ScaleCols(dv, a.Dy, a.Push, 1, in.S, in.S, in.S)
	}
	if reach < in.W && a.Sums == 1 && (hasMinus0(a.Dpush, in.S) || hasMinus0(a.Dpop, in.S) || hasMinus0(a.Dnoop, in.S)) {
		k.Grad(nil, a.Dpush, a.Dpop, a.Dnoop, nil, a.Dy, a.S, a.Push, a.Pop, a.Noop, a.V, in.W, in.W, 1, in.S, 0, 0, a.Lddy, a.Lds, a.Ldv, in.F[0])
	}
}
