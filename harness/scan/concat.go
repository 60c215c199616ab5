package scan

import (
	"slices"

	"pushdown/harness/stepgraph"
)

// joinParts decides which operands of concatenations are computed in the memory of the
// result.
func (p *plan) joinParts() {
	if p.noSharing {
		return
	}
	for _, v := range p.values {
		if !v.live || !v.is(stepgraph.ConcatCols) || v.placed || v.layout.StackMajor || v.layout.Domain == stepgraph.Static {
			continue
		}
		for i, x := range v.in {
			if p.canStoreInConcat(v, i) {
				v.keep = v.keep || x.keep
				x.within = v
			}
		}
	}
}

// storeParts stores the operands of concatenations that joinParts has chosen. An operand may
// be a concatenation itself.
func (p *plan) storeParts() {
	for _, v := range slices.Backward(p.values) {
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
				x.overwrites = v.root() != v
			}
			at += x.cols
		}
	}
}

// writesRows reports whether an operation of kind k has an instruction of its own that can
// write rows with gaps between them.
func writesRows(k stepgraph.Kind) bool {
	switch k {
	case stepgraph.MatMul, stepgraph.SliceCols, stepgraph.Softmax, stepgraph.SoftmaxGrad, stepgraph.OneHot, stepgraph.WeightedSum,
		stepgraph.WeightedSumGradW, stepgraph.WeightedSumGradX, stepgraph.Gather, stepgraph.GatherRows, stepgraph.Dropout, stepgraph.Noise:
		return true
	}
	return fusible(k)
}

// canStoreInConcat reports whether operand i of the concatenation v can be computed in the
// memory of v.
func (p *plan) canStoreInConcat(v *value, i int) bool {
	x := v.in[i]
	if x.leaf || x.placed || x.within != nil || x.merged != nil || x.inPlaceOf != nil || x.done || x.isOutput || x.isGradResult || x.isNextState || x.layout != v.layout || p.alias(x) {
		return false
	}
	if !x.is(stepgraph.ConcatCols) && !writesRows(x.kind()) {
		return false
	}
	for j, y := range v.in {
		if y == x && j != i {
			return false
		}
	}
	if p.overwritten(v) && slices.ContainsFunc(parts(colRange{x, 0}, nil), func(c colRange) bool { return len(c.v.uses) > 1 }) {
		return false // the other readers of x, or of an operand within it, would read overwritten memory
	}
	for _, u := range x.uses {
		if u != v && (!readsStrided(u, x) || u.inPlaceOf == x || p.alias(u)) {
			return false
		}
	}
	return true
}

// overwritten reports whether the result of another value is stored in the memory of v
// or of a slice of v.
func (p *plan) overwritten(v *value) bool {
	return slices.ContainsFunc(v.uses, func(u *value) bool {
		if u.is(stepgraph.SliceCols) {
			return p.overwritten(u)
		}
		return u.inPlaceOf == v || u.in[0] == v && p.alias(u)
	})
}
