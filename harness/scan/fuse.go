package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// fused is a group of elementwise values that become one instruction. They have the same
// width and are computed in the same phase, such as the forward loop. A member that only
// other members read is local: it has no memory in the arena.
type fused struct {
	members []*value
	body    []kernel.Instr // the instructions of the members
	locals  int
}

// fusible reports whether values of kind k can be members of a group.
func fusible(k stepgraph.Kind) bool {
	row := k.Row()
	return row != nil && row.CanGroup()
}

// fuse finds the groups. The members of a group have the same width and phase. A value
// cannot join a group if one of its inputs depends on a member through a value outside the
// group; see dependsThrough. It joins the first group that it can, or starts a new one.
func (p *plan) fuse() {
	if p.noSharing {
		return
	}
	type key struct {
		phase  Phase
		cols   int
		domain stepgraph.Domain
	}
	open := map[key][]*fused{}
	for _, v := range p.values {
		if !v.live || v.leaf || v.layout.StackMajor || v.layout.Domain == stepgraph.Static || !fusible(v.kind()) || v.addedProduct != nil || v.biasProduct != nil {
			continue
		}
		k := key{v.phase, v.cols, v.layout.Domain}
		i := slices.IndexFunc(open[k], func(g *fused) bool { return !dependsThrough(v, g) })
		if i < 0 {
			i = len(open[k])
			open[k] = append(open[k], &fused{})
			p.groups = append(p.groups, open[k][i])
		}
		v.group = open[k][i]
		v.group.members = append(v.group.members, v)
	}
	p.groups = slices.DeleteFunc(p.groups, func(g *fused) bool {
		if len(g.members) > 1 {
			return false
		}
		g.members[0].group = nil
		return true
	})
}

// dependsThrough reports whether an input of v depends on a member of g through a value
// outside g. If v joined g, that value would have to be computed both before and after g.
func dependsThrough(v *value, g *fused) bool {
	seen := map[*value]bool{}
	var after func(x *value) bool
	after = func(x *value) bool {
		if seen[x] || x.leaf || x.phase != v.phase {
			return false
		}
		seen[x] = true
		if x.group == g {
			return true
		}
		return slices.ContainsFunc(x.unit(), func(y *value) bool { return slices.ContainsFunc(y.in, after) })
	}
	return slices.ContainsFunc(v.in, func(x *value) bool { return x.group != g && after(x) })
}

// unit returns v and all values that the same instruction computes.
func (v *value) unit() []*value {
	switch {
	case v.group != nil:
		return v.group.members
	case v.merged != nil:
		return v.merged.products
	}
	return []*value{v}
}

// schedule decides the order of computation. It is the order of the graph, with one
// exception: all members of a group, or all merged products, are computed together as soon
// as one of them is needed.
func (p *plan) schedule() {
	p.order = p.order[:0]
	done := map[*value]bool{}
	var compute func(v *value)
	compute = func(v *value) {
		if done[v] || !v.live || v.leaf {
			return
		}
		unit := v.unit()
		for _, u := range unit {
			done[u] = true
		}
		for _, u := range unit {
			for _, x := range u.in {
				compute(x)
			}
		}
		for _, u := range unit {
			u.pos = len(p.order)
			p.order = append(p.order, u)
		}
	}
	for _, v := range p.values {
		compute(v)
	}
}

// storeLocals finds the local members of g, which only members of g read, and assigns
// to each an index among the local values of the instruction. After the last read of a
// local member, its index is free for another one.
func (p *plan) storeLocals(g *fused) {
	var free []int
	last := map[*value]*value{}
	for _, v := range g.members {
		for _, x := range v.in {
			last[x] = v
		}
	}
	for _, v := range g.members {
		for i, x := range v.in {
			if x.placed && x.at.Slot == kernel.Local && last[x] == v && !slices.Contains(v.in[:i], x) {
				free = append(free, x.at.Off)
			}
		}
		if v.placed || v.isOutput || v.isGradResult || v.isNextState || v.within != nil || v.inPlaceOf != nil || !slices.ContainsFunc(v.uses, func(u *value) bool { return u.group == g }) {
			continue
		}
		if slices.ContainsFunc(v.uses, func(u *value) bool { return u.group != g || slices.Contains(broadcastInputs(u), v) }) {
			continue
		}
		if len(free) == 0 {
			free = append(free, g.locals)
			g.locals++
		}
		v.at, v.placed = kernel.Arg{Slot: kernel.Local, Off: free[len(free)-1]}, true
		free = free[:len(free)-1]
	}
}

// broadcastInputs returns the inputs of u that are broadcast to its shape.
func broadcastInputs(u *value) []*value {
	if row := u.kind().Row(); row != nil && row.Broadcasts() {
		return u.in[1:]
	}
	return nil
}
