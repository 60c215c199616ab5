package scan

import (
	"slices"

	"pushdown/harness/stepgraph"
)

// canTakePlace reports whether v, which reads x, can be stored in the memory of x. Nothing
// else may read x. In a stream, gradients must not overwrite forward values, because the
// next window reads these again.
func (p *plan) canTakePlace(x, v *value) bool {
	return (p.opts.Window == 0 || x.backward == v.backward) && !x.leaf && len(x.uses) == 1 && !x.isOutput && !x.isGradResult && !x.isNextState && !x.done &&
		x.layout == v.layout && x.cols == v.cols && (x.phase == v.phase || !x.phase.inLoop())
}

// reuse lets elementwise values that outlive their step take the place of an
// operand. For example, gates take the place of their pre-activations.
func (p *plan) reuse() {
	if p.noSharing {
		return
	}
	for _, v := range p.values {
		if !v.live || v.leaf || v.layout.StackMajor || v.layout.Domain == stepgraph.Static || !fusible(v.kind()) || v.inPlaceOf != nil || v.biasProduct != nil {
			continue
		}
		if v.isOutput || v.isGradResult || v.isNextState || v.phase.inLoop() && !v.keep || !p.allowsStride(v) {
			continue
		}
		for _, x := range v.in {
			if !slices.Contains(broadcastInputs(v), x) && p.canTakePlace(x, v) && (x.group == nil || x.group != v.group) && p.canOverwrite(x) {
				v.inPlaceOf = x
				break
			}
		}
	}
}

// allowsStride reports whether v can be stored in rows with gaps between them. All values
// that read v must accept such rows, and so must those that read a value computed in place
// of v.
func (p *plan) allowsStride(v *value) bool {
	return !slices.ContainsFunc(v.uses, func(u *value) bool {
		return !readsStrided(u, v) || u.addsToPart() && u.in[0] == v || u.inPlaceOf == v && !p.allowsStride(u)
	})
}

// canOverwrite reports whether the memory of x can be overwritten. If x is a slice, it is
// part of a larger value. Then everything else that reads the larger value must be a slice
// that does not overlap x.
func (p *plan) canOverwrite(x *value) bool {
	if !x.is(stepgraph.SliceCols) {
		return true
	}
	whole := x.in[0]
	if x.op.I[2] != 1 || whole.is(stepgraph.SliceCols) || !p.canTakePlace(x, x.uses[0]) || whole.leaf || whole.isOutput || whole.isGradResult || whole.isNextState {
		return false
	}
	for _, u := range whole.uses {
		if u != x && (!u.is(stepgraph.SliceCols) || u.op.I[2] != 1 || u.op.I[0] < x.op.I[0]+x.cols && x.op.I[0] < u.op.I[0]+u.cols) {
			return false
		}
	}
	return true
}
