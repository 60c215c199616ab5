package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// merged is a group of products of one left factor by several parameters, computed
// as one product by the concatenated parameters.
type merged struct {
	products []*value
	cols     int
	weights  kernel.Arg // the concatenated parameters, copied there in each update
	result   kernel.Arg
	keep     bool
}

// mergeable reports whether v is a product that can be merged, so that its columns are
// stored between those of other products. Outputs, next states and gradients that are
// passed on have fixed places, so they cannot be merged.
func (p *plan) mergeable(v *value) bool {
	if !v.live || !v.is(stepgraph.MatMul) || v.op.I != ([3]int{}) {
		return false
	}
	if v.isOutput || v.isNextState || v.isGradResult {
		return false
	}
	if v.in[0].layout.Domain == stepgraph.Static || !v.in[1].leaf {
		return false
	}
	if v.cols < p.opts.MergeWidth {
		return false // the readers of v gain more from adjacent rows
	}
	return !slices.ContainsFunc(v.uses, func(u *value) bool { return !readsStrided(u, v) || u.addsToPart() && u.in[0] == v })
}

// merge finds the groups of products that can be computed as one product.
func (p *plan) merge() {
	type key struct {
		left  *value
		phase Phase
	}
	groups := map[key]*merged{}
	for _, v := range p.values {
		if !p.mergeable(v) {
			continue
		}
		k := key{v.in[0], v.phase}
		if groups[k] == nil {
			groups[k] = &merged{}
			p.merges = append(p.merges, groups[k])
		}
		groups[k].products = append(groups[k].products, v)
	}
	kept := p.merges[:0]
	for _, m := range p.merges {
		if len(m.products) < 2 {
			continue
		}
		for _, v := range m.products {
			v.merged = m
			m.cols += v.cols
		}
		kept = append(kept, m)
	}
	p.merges = kept
}
