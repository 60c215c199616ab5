package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// The gradient that a step hands to the one before is often that of the stacks, or
// lists, with something done to it: what is read of the top is added, errors are
// clipped. All of it is done where the gradient is handed on.
//
// That gradient reaches a cell further with each step back from the end of the
// batch, or of the window of a stream, where it is +0: beyond its reach it is
// neither cleared nor computed.

// storeChain places what the gradient of s that is handed on is made of.
func (p *plan) storeChain(s *state, hand kernel.Arg) {
	list := p.chain(s)
	if list == nil {
		return
	}
	for i, v := range list {
		v.at, v.placed = hand, true
		if i+1 < len(list) {
			v.within, v.over = list[i+1], true
		}
	}
	p.bound(s, list)
}

// chain is the gradient of s that is handed on, and what it is made of down to
// that of a push, each but the last an operation on the next that can be done in
// place; nil if there is more to it.
func (p *plan) chain(s *state) (list []*value) {
	if p.apart || s.gradIn == nil || !s.gradIn.place.StackMajor {
		return nil
	}
	for v := s.gradIn; ; v = v.in[0] {
		if v.leaf || v.placed || v.phase != BackLoop || v.keep || v.outside || v.next || v.onto != nil {
			return nil
		}
		if first := v == s.gradIn; first && len(v.uses) > 0 || !first && (len(v.uses) != 1 || v.taken) {
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
			if !moves[v.kind()] || v.in[0] != s.carry {
				return nil
			}
			return list
		}
	}
}

// moves has the gradients by stacks and lists themselves.
var moves = map[stepgraph.Kind]bool{
	stepgraph.StackGrad: true, stepgraph.StackNoopGrad: true, stepgraph.ListGrad: true, stepgraph.ListNoopGrad: true,
}

// bound sets the reach of the gradient that is carried to s, if it has one: zeros
// must stay zeros of the same sign.
func (p *plan) bound(s *state, list []*value) {
	root := list[len(list)-1]
	if slices.ContainsFunc(root.in[1:], func(w *value) bool { return !unsigned(w) }) {
		return
	}
	for _, u := range s.carry.uses {
		if u != root && moves[u.kind()] {
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
			if !unsigned(v.in[1]) {
				return
			}
		case stepgraph.AddAtRows:
			from, to = min(from, v.op.I[0]), max(to, v.op.I[0]+v.in[1].rows)
		}
	}
	from = min(from, to)
	for i, v := range list {
		v.reach = &kernel.NonzeroRange{From: from, To: to, Step: cell}
		// What was clipped before a part was added needs it in that part alone.
		if i+2 < len(list) && v.is(stepgraph.Clip) && list[i+1].is(stepgraph.AddAtRows) && list[i+2].is(stepgraph.Clip) && v.op.F == list[i+2].op.F {
			at := list[i+1].op.I[0]
			v.reach = &kernel.NonzeroRange{From: at, To: at + list[i+1].in[1].rows}
		}
	}
	s.carry.reach = &kernel.NonzeroRange{From: from + cell, To: to - cell, Step: cell}
}

// carriedReach is the reach of what a step hands back, nil of another value.
func (v *value) carriedReach() *kernel.NonzeroRange {
	if v.leaf {
		return v.reach
	}
	return nil
}

// unsigned tells whether v has no number below +0, and no -0.
func unsigned(v *value) bool {
	if v.leaf {
		return false
	}
	switch v.kind() {
	case stepgraph.Softmax, stepgraph.Sigmoid, stepgraph.OneHot, stepgraph.Threshold:
		return true
	case stepgraph.OneMinus:
		return v.in[0].is(stepgraph.Sigmoid)
	case stepgraph.Add:
		return unsigned(v.in[0]) && unsigned(v.in[1])
	case stepgraph.SliceCols:
		return unsigned(v.in[0])
	}
	return false
}

// lowerClean writes zeros for a gradient that has a reach, into both places where
// it is carried.
func (p *plan) lowerClean(s *state) {
	if s.carry.reach == nil {
		return
	}
	for _, slot := range []kernel.Slot{kernel.Carry, kernel.CarryNext} {
		fill := s.carry.shape(kernel.Fill)
		fill.Args = []kernel.Arg{s.carry.at}
		fill.Args[0].Slot = slot
		p.clean = append(p.clean, fill)
	}
}

// lowerFresh writes what a window begins with: zeros for the gradient carried to
// its last step, and where it will reach to from there.
func (p *plan) lowerFresh(s *state) {
	fill := s.carry.shape(kernel.Fill)
	fill.Args, fill.Note = []kernel.Arg{s.carry.at}, "end of the window: carry."+s.spec.Name
	r := s.carry.reach
	if r == nil {
		p.fresh = append(p.fresh, fill)
		return
	}
	from, to := max(0, r.From-p.opts.Window*r.Step), min(fill.W, r.To+p.opts.Window*r.Step)
	for _, slot := range []kernel.Slot{kernel.Carry, kernel.CarryNext} {
		in := fill
		in.W, in.Args = to-from, []kernel.Arg{s.carry.at}
		in.Args[0].Slot = slot
		in.Args[0].Skip += from
		p.fresh = append(p.fresh, in)
	}
}
