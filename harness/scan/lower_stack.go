package scan

import (
	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

func (p *plan) lowerStack(v *value) {
	in := v.shape(kernel.Stack)
	in.I[0], in.F[0] = v.op.I[0], float32(v.op.F[0])
	a := p.args(v)
	if v.op.Kind == stepgraph.Stack {
		in.Args = []kernel.Arg{a[0], a[1], a[2], a[3], {}, a[4]}
	} else {
		in.Args = a
	}
	p.emit(v.phase, in)
}

// lowerStackGrad writes one instruction that computes all gradients of one stack step:
// those of the stack, of the pushed value and of the actions. It is called for the first
// of them in the order of computation.
func (p *plan) lowerStackGrad(first *value) {
	dy := first.in[0]
	in := dy.shape(kernel.StackGrad)
	in.Note = first.label()
	in.I[0], in.Nonzero = first.op.I[0], dy.nonzero
	in.Args = make([]kernel.Arg, 11)
	in.Args[5] = p.argOf(dy, first)
	// Unused operands must still have a valid address.
	in.Args[6], in.Args[7], in.Args[8], in.Args[10] = in.Args[5], in.Args[5], in.Args[5], in.Args[5]
	var s *value
	for _, u := range dy.uses {
		if u.phase != first.phase || u.done || u.leaf || !u.ofStack() || u.op.I[0] != first.op.I[0] {
			continue
		}
		// If a value is the sum of several stack steps, all of them have the same gradient
		// dy. This instruction computes the gradients of only one of these steps. The
		// others get instructions of their own.
		switch u.kind() {
		case stepgraph.StackGrad, stepgraph.StackNoopGrad:
			if in.Args[0].Slot != kernel.Absent {
				continue
			}
			in.Args[0], in.Args[7], in.Args[8] = u.at, p.argOf(u.in[1], u), p.argOf(u.in[2], u)
			if u.is(stepgraph.StackNoopGrad) {
				in.Args[9] = p.argOf(u.in[3], u)
			}
		case stepgraph.StackGradPush:
			if s != nil && s != u.in[1] || in.Args[1].Slot != kernel.Absent {
				continue
			}
			s = u.in[1]
			in.Args[1], in.Args[6], in.Args[10] = u.at, p.argOf(s, u), p.argOf(u.in[2], u)
		case stepgraph.StackGradPop:
			if s != nil && s != u.in[1] || in.Args[2].Slot != kernel.Absent {
				continue
			}
			s = u.in[1]
			in.Args[2], in.Args[6], in.F[0] = u.at, p.argOf(s, u), float32(u.op.F[0])
		}
		u.done = true
	}
	p.lowerStackRest(dy, s, &in)
	p.emit(first.phase, in)
}

// ofStack reports whether v is one of the gradients of a stack.
func (v *value) ofStack() bool {
	switch v.kind() {
	case stepgraph.StackGrad, stepgraph.StackNoopGrad, stepgraph.StackGradPush, stepgraph.StackGradPop:
		return true
	}
	return false
}

// lowerStackRest lets the instruction of a stack step compute two more gradients: those of
// the weight of a no-op and of the pushed value. In the graph they are the results of a
// ColDot and of a ScaleCols of the first cell. The instruction gives the same bits as
// these operations.
func (p *plan) lowerStackRest(dy, s *value, in *kernel.Instr) {
	for _, u := range dy.uses {
		if u.phase != dy.phaseOrCarry() || u.leaf || p.noSharing {
			continue
		}
		switch u.kind() {
		case stepgraph.ColDot:
			if !u.done && in.Args[9].Slot != kernel.Absent && in.Args[3].Slot == kernel.Absent && s != nil && u.in[0] == dy && u.in[1] == s {
				in.Args[3], u.done = u.at, true
			}
		case stepgraph.SliceRows:
			if in.Args[4].Slot != kernel.Absent || u.op.I[0] != 0 || u.rows != in.I[0] || u.within != dy {
				continue
			}
			for _, v := range u.uses {
				if v.is(stepgraph.ScaleCols) && v.phase == u.phase && !v.done && p.argOf(v.in[1], v) == in.Args[7] {
					in.Args[4], v.done = v.at, true
					break
				}
			}
		}
	}
}
