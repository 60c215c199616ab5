package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// The gradient that a step passes to the previous step is called the carried gradient. For
// stacks and lists it is often the gradient of a push or of a move, to which the gradient of
// reading the top is added and which is then clipped. All of this is computed in place, in
// one buffer.
//
// The carried gradient is +0 at the end of the batch or, in a stream, at the end of the
// window. With each step back in time, one more cell can become nonzero. Cells outside this
// nonzero range are neither cleared nor computed.

// storeCarriedGrad stores at dst the gradient that the state s passes to the previous step,
// and the values from which this gradient is computed in place. It does nothing if the
// gradient is computed in another way; see carriedGradChain.
func (p *plan) storeCarriedGrad(s *state, dst kernel.Arg) {
	list := p.carriedGradChain(s)
	if list == nil {
		return
	}
	for i, v := range list {
		v.at, v.placed = dst, true
		if i+1 < len(list) {
			v.within, v.overwrites = list[i+1], true
		}
	}
	p.setCarriedRange(s, list)
}

// carriedGradChain returns the gradient that s passes to the previous step, followed by the
// values that it is computed from. Each value of the list can be computed in place of the
// next one. The last value is the gradient of a push or of a move of a list. carriedGradChain
// returns nil if the gradient is computed in another way.
func (p *plan) carriedGradChain(s *state) (list []*value) {
	if p.noSharing || s.gradIn == nil || !s.gradIn.layout.StackMajor {
		return nil
	}
	for v := s.gradIn; ; v = v.in[0] {
		if v.leaf || v.placed || v.phase != BackLoop || v.keep || v.isOutput || v.isNextState || v.inPlaceOf != nil {
			return nil
		}
		if first := v == s.gradIn; first && len(v.uses) > 0 || !first && (len(v.uses) != 1 || v.isGradResult) {
			return nil
		}
		list = append(list, v)
		switch v.kind() {
		case stepgraph.Clip, stepgraph.FlushSmall, stepgraph.ScaleCols:
		case stepgraph.AddAtRows:
			if v.op.I[2] != 1 {
				return nil
			}
		default:
			if !moveGrads[v.kind()] || v.in[0] != s.carry {
				return nil
			}
			return list
		}
	}
}

// moveGrads lists the gradients with respect to stacks and lists.
var moveGrads = map[stepgraph.Kind]bool{
	stepgraph.StackGrad: true, stepgraph.StackNoopGrad: true, stepgraph.ListGrad: true, stepgraph.ListNoopGrad: true,
}

// setCarriedRange sets the nonzero ranges of the values in list and of the carried gradient
// that they are computed from. It sets none if an operation could write a number other than
// +0 outside the range (-0 is such a number), or if another gradient of a stack or list reads
// the carried gradient.
func (p *plan) setCarriedRange(s *state, list []*value) {
	root := list[len(list)-1]
	if slices.ContainsFunc(root.in[1:], func(w *value) bool { return !nonNegative(w) }) {
		return
	}
	for _, u := range s.carry.uses {
		if u != root && moveGrads[u.kind()] {
			return
		}
	}
	from, to, cell := root.rows, 0, root.op.I[0]
	for _, v := range list {
		switch v.kind() {
		case stepgraph.Clip:
			if v.op.F[0] > 0 || v.op.F[1] < 0 {
				return
			}
		case stepgraph.ScaleCols:
			if !nonNegative(v.in[1]) {
				return
			}
		case stepgraph.AddAtRows:
			from, to = min(from, v.op.I[0]), max(to, v.op.I[0]+v.in[1].rows)
		}
	}
	from = min(from, to)
	for i, v := range list {
		v.nonzero = &kernel.NonzeroRange{From: from, To: to, Step: cell}
		// If v clips a sum whose first operand was already clipped to the same limits, v
		// changes nothing except in the rows to which the second operand was added.
		if i+2 < len(list) && v.is(stepgraph.Clip) && list[i+1].is(stepgraph.AddAtRows) && list[i+2].is(stepgraph.Clip) && v.op.F == list[i+2].op.F {
			at := list[i+1].op.I[0]
			v.nonzero = &kernel.NonzeroRange{From: at, To: at + list[i+1].in[1].rows}
		}
	}
	s.carry.nonzero = &kernel.NonzeroRange{From: from + cell, To: to - cell, Step: cell}
}

// carriedNonzero returns the nonzero range of v if v is a carried gradient, and nil otherwise.
// A carried gradient is a leaf, a value that no operation of the step computes. No other leaf
// has a nonzero range.
func (v *value) carriedNonzero() *kernel.NonzeroRange {
	if v.leaf {
		return v.nonzero
	}
	return nil
}

// nonNegative reports whether the operation of v shows that no element of v is negative
// or -0.
func nonNegative(v *value) bool {
	if v.leaf {
		return false
	}
	switch v.kind() {
	case stepgraph.Softmax, stepgraph.Sigmoid, stepgraph.OneHot, stepgraph.Threshold:
		return true
	case stepgraph.OneMinus:
		return v.in[0].is(stepgraph.Sigmoid)
	case stepgraph.Add:
		return nonNegative(v.in[0]) && nonNegative(v.in[1])
	case stepgraph.SliceCols:
		return nonNegative(v.in[0])
	}
	return false
}

// lowerClearCarry writes instructions that clear the carried gradient, if it has a nonzero
// range. They clear two buffers: the one that a step reads and the one that it writes.
func (p *plan) lowerClearCarry(s *state) {
	if s.carry.nonzero == nil {
		return
	}
	for _, slot := range []kernel.Slot{kernel.CarryIn, kernel.CarryOut} {
		fill := s.carry.shape(kernel.Fill)
		fill.Args = []kernel.Arg{s.carry.at}
		fill.Args[0].Slot = slot
		p.clearCarry = append(p.clearCarry, fill)
	}
}

// lowerClearWindow writes instructions that run before the backward pass over a window.
// They clear the gradient carried to the last step of the window. If the gradient has
// a nonzero range, they clear all cells that it can reach in the window, and no others.
func (p *plan) lowerClearWindow(s *state) {
	fill := s.carry.shape(kernel.Fill)
	fill.Args, fill.Note = []kernel.Arg{s.carry.at}, "end of the window: carry."+s.spec.Name
	r := s.carry.nonzero
	if r == nil {
		p.clearWindow = append(p.clearWindow, fill)
		return
	}
	from, to := max(0, r.From-p.opts.Window*r.Step), min(fill.W, r.To+p.opts.Window*r.Step)
	for _, slot := range []kernel.Slot{kernel.CarryIn, kernel.CarryOut} {
		in := fill
		in.W, in.Args = to-from, []kernel.Arg{s.carry.at}
		in.Args[0].Slot = slot
		in.Args[0].Skip += from
		p.clearWindow = append(p.clearWindow, in)
	}
}
