package scan

import (
	"slices"

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
		if !v.live || v.leaf || v.place.StackMajor || v.place.Domain == stepgraph.Static {
			continue
		}
		if m := v.in[0]; v.is(stepgraph.AddRow) && alone(m, v) && m.op.I[0] == 0 && !readByLoss(v) {
			v.biased, m.done, m.placed = m, true, true
		}
		if !v.is(stepgraph.Add) || v.outside || v.taken || v.next || v.in[0] == v.in[1] {
			continue
		}
		for i, x := range v.in {
			if m := v.in[1-i]; v.adds == nil && alone(m, v) && p.yields(x, v) && x.merged == nil && !x.is(stepgraph.SliceCols) {
				v.adds, v.onto = m, x
				m.done, m.placed = true, true
			}
		}
	}
}

// readByLoss tells whether a loss alone reads v: a device adds a bias on the way
// there.
func readByLoss(v *value) bool {
	return !slices.ContainsFunc(v.uses, func(u *value) bool {
		return !u.is(stepgraph.CrossEntropy) && !u.is(stepgraph.CrossEntropyGrad)
	})
}

// alone tells whether m is a product for v alone.
func alone(m, v *value) bool {
	return m.is(stepgraph.MatMul) && m.phase == v.phase && m.merged == nil && len(m.uses) == 1 && !m.reduces() && !m.outside && !m.taken && !m.next
}
