package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// combine finds what a product does along with itself: a sum whose one operand
// is a product that nothing else reads is added to the other where that lies, if
// nobody needs it any more; a bias is added to a product at once.
func (p *plan) combine() {
	if p.apart {
		return
	}
	for _, v := range p.values {
		if !v.live || v.leaf || v.place.Depth || v.place.Domain == stepgraph.Static {
			continue
		}
		if m := v.in[0]; v.is(stepgraph.AddRow) && alone(m, v) && m.op.I[0] == 0 && !lost(v) {
			v.biased, m.done, m.placed = m, true, true
		}
		if !v.is(stepgraph.Add) || v.outside || v.taken || v.next || v.in[0] == v.in[1] {
			continue
		}
		for i, x := range v.in {
			if m := v.in[1-i]; v.adds == nil && alone(m, v) && yields(x, v) && x.merged == nil && !x.is(stepgraph.SliceCols) {
				v.adds, v.onto = m, x
				m.done, m.placed = true, true
			}
		}
	}
}

// lost tells whether a loss alone reads v: a device adds a bias on the way there.
func lost(v *value) bool {
	return !slices.ContainsFunc(v.uses, func(u *value) bool {
		return !u.is(stepgraph.CrossEntropy) && !u.is(stepgraph.CrossEntropyGrad)
	})
}

// alone tells whether m is a product for v alone.
func alone(m, v *value) bool {
	return m.is(stepgraph.MatMul) && m.phase == v.phase && m.merged == nil && len(m.uses) == 1 && !m.reduces() && !m.outside && !m.taken && !m.next
}

// yields tells whether x leaves its place to v, which reads it last.
func yields(x, v *value) bool {
	return !x.leaf && len(x.uses) == 1 && !x.outside && !x.taken && !x.next && !x.done &&
		x.place == v.place && x.cols == v.cols && (x.phase == v.phase || !x.phase.inLoop())
}

// reuse lets elementwise values that outlive their step take the place of an
// operand: that of the gates is the place of their pre-activations.
func (p *plan) reuse() {
	if p.apart {
		return
	}
	for _, v := range p.values {
		if !v.live || v.leaf || v.place.Depth || v.place.Domain == stepgraph.Static || !fusible[v.kind()] || v.onto != nil || v.biased != nil {
			continue
		}
		if v.outside || v.taken || v.next || v.phase.inLoop() && !v.keep || !p.looseRows(v) {
			continue
		}
		for _, x := range v.in {
			if !slices.Contains(castBy(v), x) && yields(x, v) && (x.group == nil || x.group != v.group) && p.sole(x) {
				v.onto = x
				break
			}
		}
	}
}

// looseRows tells whether v may lie in rows with gaps between them: all that
// read it, and what is computed in its place, can be read there.
func (p *plan) looseRows(v *value) bool {
	return !slices.ContainsFunc(v.uses, func(u *value) bool {
		return !readsStrided(u, v) || u.addsToPart() && u.in[0] == v || u.onto == v && !p.looseRows(u)
	})
}

// sole tells whether x may be overwritten: if it is a slice, by itself or of
// what only other slices read that do not overlap it.
func (p *plan) sole(x *value) bool {
	if !x.is(stepgraph.SliceCols) {
		return true
	}
	whole := x.in[0]
	if x.op.I[2] != 1 || !yields(x, x.uses[0]) || whole.leaf || whole.outside || whole.taken || whole.next {
		return false
	}
	for _, u := range whole.uses {
		if u != x && (!u.is(stepgraph.SliceCols) || u.op.I[2] != 1 || u.op.I[0] < x.op.I[0]+x.cols && x.op.I[0] < u.op.I[0]+u.cols) {
			return false
		}
	}
	return true
}

// storeInside lets parts be computed where the whole lies that they are put
// side by side for.
func (p *plan) storeInside() {
	if p.apart {
		return
	}
	for _, v := range p.values {
		if !v.live || !v.is(stepgraph.ConcatCols) || v.placed || v.place.Depth || v.place.Domain == stepgraph.Static {
			continue
		}
		for i, x := range v.in {
			if p.inside(v, i) {
				v.keep = v.keep || x.keep
				x.within = v
			}
		}
	}
	for _, v := range p.values {
		if !v.live || !v.is(stepgraph.ConcatCols) {
			continue
		}
		at := 0
		for _, x := range v.in {
			if x.within == v {
				if !v.placed {
					p.place(v)
				}
				x.at, x.placed = v.at, true
				x.at.Off += at
			}
			at += x.cols
		}
	}
}

// inside tells whether part i of v can be computed there.
func (p *plan) inside(v *value, i int) bool {
	x := v.in[i]
	if x.leaf || x.placed || x.within != nil || x.merged != nil || x.onto != nil || x.done || x.outside || x.taken || x.next || x.place != v.place || p.alias(x) {
		return false
	}
	switch x.kind() {
	case stepgraph.MatMul, stepgraph.SliceCols, stepgraph.Softmax, stepgraph.SoftmaxGrad, stepgraph.OneHot, stepgraph.Mix,
		stepgraph.MixGradWeights, stepgraph.MixGradBlocks, stepgraph.Gather, stepgraph.Pick, stepgraph.Dropout, stepgraph.Noise:
	default: // others want their results without gaps
		if !fusible[x.kind()] {
			return false
		}
	}
	for j, y := range v.in {
		if y == x && j != i {
			return false
		}
	}
	if len(x.uses) > 1 && p.overwritten(v) {
		return false // the others would read what was written over the whole
	}
	for _, u := range x.uses {
		if u != v && (!readsStrided(u, x) || u.onto == x || p.alias(u)) {
			return false
		}
	}
	return true
}

// overwritten tells whether something is written over v or a slice of it.
func (p *plan) overwritten(v *value) bool {
	return slices.ContainsFunc(v.uses, func(u *value) bool {
		if u.is(stepgraph.SliceCols) {
			return p.overwritten(u)
		}
		return u.onto == v || u.in[0] == v && p.alias(u)
	})
}

// pairs returns the loss whose gradient v is, or the gradient of the loss v, if
// both are computed at once: what the gradient of the loss is multiplied by is
// known before.
func (p *plan) pairs(v *value) *value {
	if !v.is(stepgraph.CrossEntropy) && !v.is(stepgraph.CrossEntropyGrad) {
		return nil
	}
	other := stepgraph.CrossEntropyGrad
	if v.is(other) {
		other = stepgraph.CrossEntropy
	}
	for _, u := range v.in[0].uses {
		if u.is(other) && u.in[1] == v.in[1] && u.phase == v.phase && !p.apart && u.in[len(u.in)-1].leaf && v.in[len(v.in)-1].leaf {
			return u
		}
	}
	return nil
}

// lowerCrossEntropy writes a loss, its gradient, or both.
func (p *plan) lowerCrossEntropy(v *value) {
	x := v.in[0]
	if u := p.pairs(v); u != nil {
		loss, grad := v, u
		if v.is(stepgraph.CrossEntropyGrad) {
			loss, grad = u, v
		}
		in := x.shape(kernel.CrossEntropyBoth)
		in.Args = []kernel.Arg{grad.at, loss.at, p.argOf(x, v), p.argOf(v.in[1], v), p.argOf(grad.in[2], v)}
		in.Note = loss.label() + "; " + grad.label()
		u.done = true
		p.emit(v.phase, in)
		return
	}
	in := x.shape(kernel.CrossEntropy)
	if v.is(stepgraph.CrossEntropyGrad) {
		in.Op = kernel.CrossEntropyGrad
	}
	in.Args, in.Note = p.args(v), v.label()
	p.emit(v.phase, in)
}
