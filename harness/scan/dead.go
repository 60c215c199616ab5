package scan

import (
	"slices"

	"pushdown/harness/stepgraph"
)

// reuseDead lets values that outlive their step take the place of another value of the same
// width that nothing reads any more. For example, the gradients of the gates of an LSTM,
// side by side, take the place of the gates.
func (p *plan) reuseDead() {
	if p.noSharing || p.opts.Window > 0 {
		return
	}
	for _, v := range p.order {
		if 4*p.opts.MaxRows*v.cols < p.minSaved || v.biasProduct != nil || !p.hasBlocks(v) || !v.is(stepgraph.ConcatCols) && !writesRows(v.kind()) {
			continue
		}
		for _, x := range p.order {
			if x == v || !p.hasBlocks(x) || x.cols != v.cols || !p.isDead(x, v) {
				continue
			}
			v.inPlaceOf, x.tenants = x, append(x.tenants, v)
			break
		}
	}
}

// hasBlocks reports whether v will have a block of its own for each step, which nothing
// outside the graph reads.
func (p *plan) hasBlocks(v *value) bool {
	if v.leaf || v.done || v.placed || v.within != nil || v.inPlaceOf != nil || v.merged != nil || v.planar != nil {
		return false
	}
	return v.layout == stepgraph.Layout{Domain: stepgraph.Step} && (v.keep || !v.phase.inLoop() && v.group == nil) &&
		!v.isOutput && !v.isGradResult && !v.isNextState && !p.alias(v) && !p.isReshape(v)
}

// colRange is the columns of a block in which the value v lies.
type colRange struct {
	v    *value
	from int
}

func (c colRange) overlaps(d colRange) bool {
	return c.from < d.from+d.v.cols && d.from < c.from+c.v.cols
}

// isDead reports whether v may overwrite the blocks of x. All that is read from them must
// have been read by then.
func (p *plan) isDead(x, v *value) bool {
	written := parts(colRange{v, 0}, nil)
	stored := p.stored(colRange{x, 0}, nil)
	return !slices.ContainsFunc(stored, func(from colRange) bool {
		if from.v.isOutput || from.v.isGradResult || from.v.isNextState {
			return true
		}
		return slices.ContainsFunc(from.v.uses, func(u *value) bool {
			if u.is(stepgraph.SliceCols) && u.inPlaceOf == nil && p.alias(u) {
				return false // a view, in stored itself
			}
			return slices.ContainsFunc(written, func(to colRange) bool { return from.overlaps(to) && !p.readsFirst(u, from, to) })
		})
	})
}

// parts appends c to list and, if c.v is a concatenation, the columns of the operands that are
// computed in its memory, which are written earlier.
func parts(c colRange, list []colRange) []colRange {
	list = append(list, c)
	if !c.v.is(stepgraph.ConcatCols) {
		return list
	}
	for _, x := range c.v.in {
		if x.within == c.v {
			list = parts(colRange{x, c.from}, list)
		}
		c.from += x.cols
	}
	return list
}

// stored appends to list the columns of all values that lie in the memory of c.v.
func (p *plan) stored(c colRange, list []colRange) []colRange {
	for _, c := range parts(c, nil) {
		list = append(list, c)
		for _, u := range c.v.uses {
			switch {
			case !p.alias(u) || u.inPlaceOf != nil && u.inPlaceOf != c.v || u.inPlaceOf == nil && u.in[0] != c.v:
			case u.is(stepgraph.SliceCols):
				list = p.stored(colRange{u, c.from + u.op.I[0]}, list)
			default:
				list = p.stored(colRange{u, c.from}, list)
			}
		}
		for _, v := range c.v.tenants {
			list = p.stored(colRange{v, c.from}, list)
		}
	}
	return list
}

// readsFirst reports whether u reads the columns from before the columns to are written.
func (p *plan) readsFirst(u *value, from, to colRange) bool {
	if u.done {
		u = u.uses[0] // a product that the instruction of its sum computes
	}
	v := to.v
	same := from.from == to.from && from.v.cols == v.cols
	switch {
	case u.is(stepgraph.ToStackMajor):
		return false // others may read the columns through u
	case u.phase != v.phase:
		return u.phase < v.phase
	case !u.phase.inLoop():
		return false
	case u == v:
		return same && v.biasProduct == nil && fusible(v.kind()) && !slices.Contains(broadcastInputs(v), from.v)
	case u.group != nil && u.group == v.group:
		return same && u.pos < v.pos
	}
	return u.pos < v.pos
}
