package scan

import (
	"slices"

	"pushdown/harness/stepgraph"
)

// combine finds additions that the instruction of a product can do, if nothing else reads the
// product. If the product is added to a value that nothing else reads, the instruction adds
// the product to that value in place. If a bias is added to the product, the instruction adds
// the bias.
func (p *plan) combine() {
	if p.noSharing {
		return
	}
	for _, v := range p.values {
		if !v.live || v.leaf || v.layout.StackMajor || v.layout.Domain == stepgraph.Static {
			continue
		}
		if m := v.in[0]; v.is(stepgraph.AddRow) && soleProduct(m, v) && m.op.I[0] == 0 && !readByLossOnly(v) {
			v.biasProduct, m.done, m.placed = m, true, true
		}
		if !v.is(stepgraph.Add) || v.isOutput || v.isGradResult || v.isNextState || v.in[0] == v.in[1] {
			continue
		}
		for i, x := range v.in {
			if m := v.in[1-i]; v.addedProduct == nil && soleProduct(m, v) && p.canTakePlace(x, v) && x.merged == nil && !x.is(stepgraph.SliceCols) {
				v.addedProduct, v.inPlaceOf = m, x
				m.done, m.placed = true, true
			}
		}
	}
}

// readByLossOnly reports whether only a loss and its gradient read v. If v is the sum of a
// product and a bias, the instruction of the loss can then add the bias, and the instruction
// of the product need not.
func readByLossOnly(v *value) bool {
	return !slices.ContainsFunc(v.uses, func(u *value) bool {
		return !u.is(stepgraph.CrossEntropy) && !u.is(stepgraph.CrossEntropyGrad)
	})
}

// soleProduct reports whether m is a product that only v reads, in the same phase.
func soleProduct(m, v *value) bool {
	return m.is(stepgraph.MatMul) && m.phase == v.phase && m.merged == nil && len(m.uses) == 1 && !m.reduces() && !m.isOutput && !m.isGradResult && !m.isNextState
}
