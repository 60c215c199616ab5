package scan

import (
	"slices"

	"pushdown/harness/stepgraph"
)

// yields tells whether x leaves its place to v, which reads it last. Gradients
// of a stream leave what is stored of a step to the next window.
func (p *plan) yields(x, v *value) bool {
	return (p.opts.Window == 0 || x.backward == v.backward) && !x.leaf && len(x.uses) == 1 && !x.outside && !x.taken && !x.next && !x.done &&
		x.place == v.place && x.cols == v.cols && (x.phase == v.phase || !x.phase.inLoop())
}

// reuse lets elementwise values that outlive their step take the place of an
// operand: that of the gates is the place of their pre-activations.
func (p *plan) reuse() {
	if p.apart {
		return
	}
	for _, v := range p.values {
		if !v.live || v.leaf || v.place.StackMajor || v.place.Domain == stepgraph.Static || !fusible(v.kind()) || v.onto != nil || v.biased != nil {
			continue
		}
		if v.outside || v.taken || v.next || v.phase.inLoop() && !v.keep || !p.looseRows(v) {
			continue
		}
		for _, x := range v.in {
			if !slices.Contains(castBy(v), x) && p.yields(x, v) && (x.group == nil || x.group != v.group) && p.sole(x) {
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
	if x.op.I[2] != 1 || whole.is(stepgraph.SliceCols) || !p.yields(x, x.uses[0]) || whole.leaf || whole.outside || whole.taken || whole.next {
		return false
	}
	for _, u := range whole.uses {
		if u != x && (!u.is(stepgraph.SliceCols) || u.op.I[2] != 1 || u.op.I[0] < x.op.I[0]+x.cols && x.op.I[0] < u.op.I[0]+u.cols) {
			return false
		}
	}
	return true
}
