package scan

import (
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// planarColumns are the columns of a narrow value, such as the weights of the actions on
// stacks. Each column is stored separately, because stacks read their weights this way. The
// columns are at equal distances, so that one instruction can split rows into columns, or join
// columns into rows. A column has one word per stack in each row.
type planarColumns struct {
	list   []*value // in order of the columns
	stacks int      // words of a column in a row
	at     kernel.Arg
}

// storePlanarColumns looks for values that are split into their columns, and for values that
// are joined from single columns. It stores all these columns as planar columns.
func (p *plan) storePlanarColumns() {
	if p.noSharing {
		return
	}
	for _, x := range p.values {
		if !x.live || x.leaf || x.layout.StackMajor || x.layout.Domain != stepgraph.Step {
			continue
		}
		if list := p.planarSlices(x); list != nil {
			p.placePlanar(list)
		}
		if x.is(stepgraph.ConcatCols) && p.canJoinPlanar(x) {
			x.planar = p.placePlanar(x.in)
		}
	}
}

// planarSlices returns the slices of x that together make up all its columns. It
// returns nil if a slice is missing or must be stored elsewhere.
func (p *plan) planarSlices(x *value) []*value {
	var list []*value
	n := 0 // number of slices that make up x
	for _, u := range x.uses {
		if !u.is(stepgraph.SliceCols) || u.leaf || u.placed || u.isOutput || u.isGradResult || u.isNextState || u.inPlaceOf != nil || p.alias(u) {
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

// dense reports whether the rows of x will be stored without gaps between them.
func (p *plan) dense(x *value) bool {
	if !x.placed {
		p.place(x)
	}
	return x.at.LD == x.cols
}

// canJoinPlanar reports whether the operands of the concatenation v can be stored as
// planar columns. Each must have a single column.
func (p *plan) canJoinPlanar(v *value) bool {
	return !v.repeatsParts() && !slices.ContainsFunc(v.in, func(x *value) bool {
		return x.cols != 1 || x.leaf || x.placed || x.keep || x.isOutput || x.isGradResult || x.isNextState || x.within != nil || x.inPlaceOf != nil || x.merged != nil ||
			x.group != nil || x.phase != v.phase || !x.phase.inLoop() || x.layout.StackMajor || p.alias(x) || x.planar != nil
	}) && len(v.in) > 1
}

// repeatsParts reports whether v has an operand twice.
func (v *value) repeatsParts() bool {
	for i, x := range v.in {
		if slices.Contains(v.in[:i], x) {
			return true
		}
	}
	return false
}

// placePlanar stores the values in list as planar columns.
func (p *plan) placePlanar(list []*value) *planarColumns {
	first := list[0]
	s := first.cols
	rows, arg := p.opts.MaxStrings, kernel.Arg{Slot: kernel.FixedSlot, LD: s}
	if first.keep || !first.phase.inLoop() {
		rows, arg = p.opts.memoryRows(), kernel.Arg{Slot: kernel.Current, Row: s, LD: s}
	}
	t := &planarColumns{list: list, stacks: s}
	for i, v := range list {
		arg.Off = p.alloc(rows, s) // right after the previous one
		v.at, v.placed, v.planar = arg, true, t
		if i == 0 {
			t.at = arg
			t.at.LD = lines(rows * s)
		}
		if arg.Slot == kernel.Current {
			p.rowBlocks = append(p.rowBlocks, arg)
		}
	}
	return t
}

// lowerSplitColumns writes one instruction that splits the rows of the input of v into
// all its planar columns.
func (p *plan) lowerSplitColumns(v *value) {
	t := v.planar
	in := kernel.Instr{Op: kernel.ToStackMajor, Form: kernel.StackMajor, W: len(t.list), S: t.stacks, Args: []kernel.Arg{t.at, p.argOf(v.in[0], v)}, Note: "columns of " + v.in[0].label()}
	for _, u := range t.list {
		u.done = true
	}
	p.emit(v.phase, in)
}

// lowerJoinColumns writes the instruction that joins planar columns into the rows of v.
func (p *plan) lowerJoinColumns(v *value) {
	t := v.planar
	p.emit(v.phase, kernel.Instr{Op: kernel.FromStackMajor, Form: kernel.StackMajor, W: len(t.list), S: t.stacks, Args: []kernel.Arg{v.at, t.at}, Note: v.label()})
}
