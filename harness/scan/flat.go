package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// flat reports whether v is rows of one number for each stack, turned to lie
// stack-major: the same words in the same order.
func (p *plan) flat(v *value) bool {
	if v.outside || p.apart {
		return false
	}
	x := v.in[0]
	if v.is(stepgraph.FromStackMajor) {
		return p.flatRow(v, x)
	}
	if !v.is(stepgraph.ToStackMajor) || v.op.I[0] != 1 {
		return false
	}
	if x.leaf && x.state != nil {
		return false
	}
	if !x.placed {
		p.place(x)
	}
	return x.at.LD == x.cols && (x.at.Slot == kernel.Current || x.phase == v.phase && !v.keep)
}

// flatRow is flat for the way back: one row of a stack, as rows of one number for
// each stack.
func (p *plan) flatRow(v, x *value) bool {
	if x.leaf || x.rows != 1 || x.outside || x.taken || x.next || len(x.uses) != 1 || x.phase != v.phase || v.keep {
		return false
	}
	if !x.placed {
		p.place(x)
	}
	if x.within != nil && slices.ContainsFunc(v.uses, func(u *value) bool { return u.onto == v }) {
		return false // it would be written over a row of a stack that others read
	}
	return x.at.Slot == kernel.FixedSlot && x.at.LD == p.opts.Strings*x.place.Stacks
}
