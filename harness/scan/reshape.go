package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// isReshape reports whether v can share the memory of its input because both have the same
// words in the same order. This is possible if v converts from one of these layouts to the
// other: rows of one number per stack, and the stack-major layout, which has a column for
// each stack.
func (p *plan) isReshape(v *value) bool {
	if v.isOutput || p.noSharing {
		return false
	}
	x := v.in[0]
	if v.is(stepgraph.FromStackMajor) {
		return p.isRowReshape(v, x)
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

// isRowReshape reports whether v, which converts x from stack-major layout to rows of one
// number per stack, can share the memory of x. This requires that x has a single row, because
// only then are the words of v in the same order. It also requires that nothing else reads x.
func (p *plan) isRowReshape(v, x *value) bool {
	if x.leaf || x.rows != 1 || x.isOutput || x.isGradResult || x.isNextState || len(x.uses) != 1 || x.phase != v.phase || v.keep {
		return false
	}
	if !x.placed {
		p.place(x)
	}
	if x.within != nil && slices.ContainsFunc(v.uses, func(u *value) bool { return u.inPlaceOf == v }) {
		return false // a value in the place of v would overwrite a row of a stack that others read
	}
	return x.at.Slot == kernel.FixedSlot && x.at.LD == p.opts.MaxStrings*x.layout.Stacks
}
