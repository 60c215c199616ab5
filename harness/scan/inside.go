package scan

import (
	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// accumulate finds the sums whose one operand is a product that nothing else
// reads: it is added to the other where that lies, if nobody needs it any more.
func (p *plan) accumulate() {
	if p.apart {
		return
	}
	for _, v := range p.values {
		if !v.live || !v.is(stepgraph.Add) || v.place.Depth || v.place.Domain == stepgraph.Static || v.outside || v.taken || v.next || v.in[0] == v.in[1] {
			continue
		}
		for i := range v.in {
			if m, x := v.in[1-i], v.in[i]; v.adds == nil && addable(m, v) && yields(x, v) {
				v.adds = m
				m.done, m.placed = true, true
			}
		}
	}
}

// addable tells whether m is a product for v alone.
func addable(m, v *value) bool {
	return m.is(stepgraph.MatMul) && m.phase == v.phase && m.merged == nil && len(m.uses) == 1 && !m.reduces() && !m.outside && !m.taken && !m.next
}

// yields tells whether x leaves its place to v.
func yields(x, v *value) bool {
	return !x.leaf && len(x.uses) == 1 && !x.outside && !x.taken && !x.next && x.merged == nil && x.place.Domain == v.place.Domain &&
		(x.phase == v.phase || !x.phase.inLoop()) && !x.is(stepgraph.SliceCols)
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
	if x.leaf || x.placed || x.within != nil || x.merged != nil || x.adds != nil || x.outside || x.taken || x.next || x.place != v.place || p.alias(x) {
		return false
	}
	switch x.kind() {
	case stepgraph.RowDot, stepgraph.ColSum, stepgraph.CrossEntropy, stepgraph.FromDepth, stepgraph.ConcatCols, stepgraph.PadCols, stepgraph.Unpick:
		return false
	}
	for j, y := range v.in {
		if y == x && j != i {
			return false
		}
	}
	for _, u := range x.uses {
		if u != v && (!readsStrided(u, x) || u.adds != nil || p.alias(u)) {
			return false
		}
	}
	return true
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
