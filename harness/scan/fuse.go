package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// fused is a group of elementwise values of one width and phase that become one
// instruction. A member that nothing else reads is local: it has no place in
// the arena.
type fused struct {
	members []*value
	body    []kernel.Instr // as they are lowered
	locals  int
}

// fusible reports whether values of kind k can be members: a group holds what
// computes them.
func fusible(k stepgraph.Kind) bool {
	row := k.Row()
	return row != nil && row.CanGroup()
}

// fuse finds the groups. A value joins a group of its width unless what it
// reads waits for a member by way of something outside the group.
func (p *plan) fuse() {
	if p.apart {
		return
	}
	type key struct {
		phase  Phase
		cols   int
		domain stepgraph.Domain
	}
	open := map[key][]*fused{}
	for _, v := range p.values {
		if !v.live || v.leaf || v.place.StackMajor || v.place.Domain == stepgraph.Static || !fusible(v.kind()) || v.adds != nil || v.biased != nil {
			continue
		}
		k := key{v.phase, v.cols, v.place.Domain}
		i := slices.IndexFunc(open[k], func(g *fused) bool { return !waits(v, g) })
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

// waits tells whether v reads what is computed after g, and so would have to
// come before and after it.
func waits(v *value, g *fused) bool {
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
		return slices.ContainsFunc(x.together(), func(y *value) bool { return slices.ContainsFunc(y.in, after) })
	}
	return slices.ContainsFunc(v.in, func(x *value) bool { return x.group != g && after(x) })
}

// together are the values that one instruction computes along with v.
func (v *value) together() []*value {
	switch {
	case v.group != nil:
		return v.group.members
	case v.merged != nil:
		return v.merged.products
	}
	return []*value{v}
}

// schedule puts the values in the order in which they are computed: that of the
// graph, but for the members of a group, which come together at the first.
func (p *plan) schedule() {
	p.order = p.order[:0]
	done := map[*value]bool{}
	var compute func(v *value)
	compute = func(v *value) {
		if done[v] || !v.live || v.leaf {
			return
		}
		unit := v.together()
		for _, u := range unit {
			done[u] = true
		}
		for _, u := range unit {
			for _, x := range u.in {
				compute(x)
			}
		}
		for _, u := range unit {
			u.turn = len(p.order)
			p.order = append(p.order, u)
		}
	}
	for _, v := range p.values {
		compute(v)
	}
}

// storeLocals gives the members that nothing else reads their numbers; a number
// is free again after the last reader.
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
		if v.placed || v.outside || v.taken || v.next || v.within != nil || v.onto != nil || !slices.ContainsFunc(v.uses, func(u *value) bool { return u.group == g }) {
			continue
		}
		if slices.ContainsFunc(v.uses, func(u *value) bool { return u.group != g || slices.Contains(castBy(u), v) }) {
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

// castBy are the inputs of u that are not of its extents.
func castBy(u *value) []*value {
	if row := u.kind().Row(); row != nil && row.Cast() {
		return u.in[1:]
	}
	return nil
}
