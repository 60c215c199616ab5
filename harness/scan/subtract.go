package scan

import (
	"slices"

	"pushdown/harness/stepgraph"
)

// subtract replaces x + -y by x - y, which has the same bits, if nothing else reads -y.
func (p *plan) subtract() {
	if p.noSharing {
		return
	}
	for _, v := range p.values {
		if !v.live || !v.is(stepgraph.Add) {
			continue
		}
		for i, n := range v.in {
			if !n.is(stepgraph.Neg) || n.phase != v.phase || len(n.uses) != 1 || n.isOutput || n.isGradResult || n.isNextState {
				continue
			}
			x := n.in[0]
			x.uses[slices.Index(x.uses, n)] = v
			v.op, v.in = &stepgraph.Op{Kind: stepgraph.Sub}, []*value{v.in[1-i], x}
			n.live = false
			break
		}
	}
}
