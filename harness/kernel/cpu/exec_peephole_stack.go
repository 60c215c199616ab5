package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
)

// peepholeStack joins the gradient of a step of stacks with what bounds the one that
// is handed on:
//
//	stackgrad, [drop], [clip]
//
// The stacks are of numbers, of one chunk of cells, and reach no higher than their
// top.
func (a *arena) peepholeStack(list []oneRow) (s oneRow, used int) {
	grad := list[0].in
	bounded := a.dev.kernels.stack.bounded
	if bounded == nil || grad.Op != kernel.StackGrad || grad.Nonzero == nil || grad.I[0] != 1 || grad.W < 2 || grad.W > gemmChunk ||
		grad.S == 0 || grad.Args[0].Slot == kernel.Absent {
		return s, 0
	}
	at, reach := grad.Args[0], *grad.Nonzero
	whole := kernel.NonzeroRange{From: reach.From - reach.Step, To: reach.To + reach.Step, Step: reach.Step}
	bounds := &stackGradArgs{p: 1, C: grad.S, empty: grad.F[0], first: 1, lo: unbounded[0], hi: unbounded[1]}
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
			bounds.least = in.F[0]
		} else {
			bounds.lo, bounds.hi = in.F[0], in.F[1]
		}
		used++
	}
	if used == 1 {
		return s, 0
	}
	s = list[0]
	bounds.ldds, bounds.lddy, bounds.lds, bounds.ldv = s.args[0].ld, s.args[5].ld, s.args[6].ld, s.args[10].ld
	s.peephole = &peephole{stack: bounds}
	s.run = oneRowBounded
	return s, used
}

func oneRowBounded(s *oneRow, base unsafe.Pointer, f *kernel.Frame) {
	in, a, k := s.in, s.peephole.stack, &s.a.dev.kernels.stack
	a.ds, a.dpush, a.dpop, a.dnoop = s.at(0, base, f), s.maybe(1, base, f), s.maybe(2, base, f), s.maybe(3, base, f)
	a.dy, a.s, a.v = s.at(5, base, f), s.at(6, base, f), s.at(10, base, f)
	a.push, a.pop, a.noop = s.at(7, base, f), s.at(8, base, f), s.maybe(9, base, f)
	a.sums = 0
	if a.dpush != nil || a.dpop != nil || a.dnoop != nil {
		a.sums = 1
	}
	_, reach := in.NonzeroRows(f, in.W)
	reach = min(reach+1, in.W)
	a.inner, a.last = reach-1, 0
	if reach == in.W {
		a.inner, a.last = reach-2, 1
	}
	k.bounded(a)
	if dv := s.maybe(4, base, f); dv != nil {
		k.scaleCols(dv, a.dy, a.push, 1, in.S, in.S, in.S)
	}
	if reach < in.W && a.sums == 1 && (hasMinus0(a.dpush, in.S) || hasMinus0(a.dpop, in.S) || hasMinus0(a.dnoop, in.S)) {
		k.grad(nil, a.dpush, a.dpop, a.dnoop, nil, a.dy, a.s, a.push, a.pop, a.noop, a.v, in.W, in.W, 1, in.S, 0, 0, a.lddy, a.lds, a.ldv, in.F[0])
	}
}
