package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// merged is a group of products of one left factor by several parameters, done
// as one product by the parameters side by side.
type merged struct {
	products []*value
	cols     int
	weights  kernel.Arg // the parameters side by side, copied there each update
	result   kernel.Arg
	keep     bool
}

// merge finds the groups. A product that is itself asked for from outside stays
// alone.
func (p *plan) merge() {
	type key struct {
		left  *value
		phase Phase
	}
	groups := map[key]*merged{}
	for _, v := range p.values {
		if !v.live || !v.is(stepgraph.MatMul) || v.op.I != ([3]int{}) || v.outside || v.in[0].place.Domain == stepgraph.Static || !v.in[1].leaf {
			continue
		}
		if v.cols < p.opts.MergeWidth || slices.ContainsFunc(v.uses, func(u *value) bool { return !readsStrided(u, v) }) {
			continue // its readers gain more from adjacent rows
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
