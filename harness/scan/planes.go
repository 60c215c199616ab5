package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// planes are the columns of a narrow value, each in a place of its own as stacks
// read their weights: the places lie at equal distances, so that one instruction
// turns rows into planes, or planes into rows.
type planes struct {
	list   []*value // column by column
	stacks int      // numbers of a column in a row
	at     kernel.Arg
}

// storePlanes finds the values that are taken apart into planes and those that
// are put together from them.
func (p *plan) storePlanes() {
	if p.apart {
		return
	}
	for _, x := range p.values {
		if !x.live || x.leaf || x.place.StackMajor || x.place.Domain != stepgraph.Step {
			continue
		}
		if list := p.columns(x); list != nil {
			p.placePlanes(list)
		}
		if x.is(stepgraph.ConcatCols) && p.joins(x) {
			x.planes = p.placePlanes(x.in)
		}
	}
}

// columns are the slices that are all columns of x, nil if one is missing or may
// lie elsewhere.
func (p *plan) columns(x *value) []*value {
	var list []*value
	n := 0 // of all columns, those of one kind
	for _, u := range x.uses {
		if !u.is(stepgraph.SliceCols) || u.leaf || u.placed || u.outside || u.taken || u.next || u.onto != nil || p.alias(u) {
			continue
		}
		if n == 0 {
			n = x.cols / u.cols
		}
		if u.cols*n != x.cols || u.op.I[0] >= n || u.cols > 1 && u.op.I[2] != n || len(list) > 0 && (u.phase != list[0].phase || u.keep != list[0].keep) {
			return nil
		}
		list = append(list, u)
	}
	if n < 2 || len(list) != n || n*list[0].cols > 1 && list[0].cols > 1 && !p.dense(x) {
		return nil
	}
	slices.SortFunc(list, func(a, b *value) int { return a.op.I[0] - b.op.I[0] })
	for i, u := range list {
		if u.op.I[0] != i {
			return nil
		}
	}
	return list
}

// dense tells whether the rows of x will be adjacent.
func (p *plan) dense(x *value) bool {
	if !x.placed {
		p.place(x)
	}
	return x.at.LD == x.cols
}

// joins tells whether the single columns of a concatenation can be planes.
func (p *plan) joins(v *value) bool {
	return !v.keepsParts() && !slices.ContainsFunc(v.in, func(x *value) bool {
		return x.cols != 1 || x.leaf || x.placed || x.keep || x.outside || x.taken || x.next || x.within != nil || x.onto != nil || x.merged != nil ||
			x.group != nil || x.phase != v.phase || !x.phase.inLoop() || x.place.StackMajor || p.alias(x) || x.planes != nil
	}) && len(v.in) > 1
}

// keepsParts tells whether a part stands in v twice.
func (v *value) keepsParts() bool {
	for i, x := range v.in {
		if slices.Contains(v.in[:i], x) {
			return true
		}
	}
	return false
}

// placePlanes lays the values out at equal distances; the first of them is lowered
// for all.
func (p *plan) placePlanes(list []*value) *planes {
	first := list[0]
	s := first.cols
	apart, arg := lines(p.opts.Strings*s), kernel.Arg{Slot: kernel.FixedSlot, LD: s}
	if first.keep || !first.phase.inLoop() {
		apart, arg = lines(p.opts.memoryRows()*s), kernel.Arg{Slot: kernel.Current, Row: s, LD: s}
	}
	t := &planes{list: list, stacks: s}
	for i, v := range list {
		arg.Off = p.alloc(apart) // behind the one before
		v.at, v.placed, v.planes = arg, true, t
		if i == 0 {
			t.at = arg
			t.at.LD = apart
		}
		if arg.Slot == kernel.Current {
			p.rowBlocks = append(p.rowBlocks, arg)
		}
	}
	return t
}

// lowerPlanes turns the rows of x into planes.
func (p *plan) lowerPlanes(v *value) {
	t := v.planes
	in := kernel.Instr{Op: kernel.ToStackMajor, Form: kernel.StackMajor, W: len(t.list), S: t.stacks, Args: []kernel.Arg{t.at, p.argOf(v.in[0], v)}, Note: "columns of " + v.in[0].label()}
	for _, u := range t.list {
		u.done = true
	}
	p.emit(v.phase, in)
}

// lowerJoin turns planes into the rows of v.
func (p *plan) lowerJoin(v *value) {
	t := v.planes
	p.emit(v.phase, kernel.Instr{Op: kernel.FromStackMajor, Form: kernel.StackMajor, W: len(t.list), S: t.stacks, Args: []kernel.Arg{v.at, t.at}, Note: v.label()})
}
