package scan

import (
	"fmt"
	"slices"

	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// check returns an error if the memory locations that the method store has chosen break one
// of two rules: a step must store a state where the next step reads it, and no value may be
// overwritten before its last read.
func (p *plan) check() error {
	for _, s := range p.states {
		if at := s.out.at; at.Slot != kernel.StateOut || at.Off != s.block {
			return fmt.Errorf("scan: state %s after a step lies at %v, want @%d of its slot", s.spec.Name, at, s.block)
		}
	}
	outside := p.readOutsideGraph()
	for _, v := range p.values {
		if !v.live || !v.overwrites {
			continue
		}
		for _, x := range p.values {
			if !x.live || x.root() != v.root() || x.isPartOf(v) || v.joins(x) || disjointColumns(x, v) || v.computedBefore(x) && !v.isPartOf(x) {
				continue
			}
			if outside[x.node] {
				return fmt.Errorf("scan: %s is written over %s, which is a result", v.label(), x.label())
			}
			for _, u := range x.uses {
				if u != v && !u.isViewOf(x) && !u.readsOtherColumns(x, v) && !(u.phase < v.phase || u.phase == v.phase && (u.pos < v.pos || p.lossPartner(v) == u)) {
					return fmt.Errorf("scan: %s is written over %s, which is read later by %s", v.label(), x.label(), u.label())
				}
			}
		}
	}
	return nil
}

// readOutsideGraph returns the nodes whose values no other value may overwrite: the
// loss, the outputs, the states, the gradients that are passed to the previous step,
// the parameters, the gradients of trained parameters, and the inputs.
func (p *plan) readOutsideGraph() map[*gorgonia.Node]bool {
	outside := map[*gorgonia.Node]bool{p.g.Loss: true}
	for _, n := range p.g.Outputs { // the order does not matter
		outside[n] = true
	}
	for _, s := range p.g.States {
		outside[s.In], outside[s.Out], outside[s.GradIn] = true, true, true
	}
	for _, q := range p.g.Params {
		outside[q.Node] = true
		outside[q.Grad] = outside[q.Grad] || !q.Frozen
	}
	for _, in := range p.g.Inputs {
		outside[in.Node] = true
	}
	return outside
}

// addsToPart reports whether v adds its second input to some of the rows or columns of
// its first input.
func (v *value) addsToPart() bool { return v.is(stepgraph.AddAtRows) || v.is(stepgraph.AddAtCols) }

// isViewOf reports whether u is a view of x: a part of x, such as some of its columns, that
// is read directly in the memory of x. No instruction computes a view, so the method check
// looks at the values that read the view instead.
func (u *value) isViewOf(x *value) bool { return u.within == x && !u.overwrites }

// readsOtherColumns reports whether u reads only columns of x that do not overlap with
// the memory of v.
func (u *value) readsOtherColumns(x, v *value) bool {
	from := x.at.Off + u.op.I[0]
	return u.is(stepgraph.SliceCols) && u.in[0] == x && u.op.I[2] == 1 && x.at.Slot == v.at.Slot && x.at.LD == v.at.LD &&
		(from+u.cols <= v.at.Off || v.at.Off+v.cols <= from)
}

// disjointColumns reports whether x and v are in different columns of the same rows of the
// memory.
func disjointColumns(x, v *value) bool {
	by := v.at.Off - x.at.Off
	return !x.layout.StackMajor && x.at.Slot == v.at.Slot && x.at.LD == v.at.LD && (by >= x.cols || -by >= v.cols)
}

// computedBefore reports whether v is computed before x.
func (v *value) computedBefore(x *value) bool {
	return !x.leaf && (v.phase < x.phase || v.phase == x.phase && v.pos < x.pos)
}

// joins reports whether v is an operand of the concatenation x and is computed in its memory,
// or is such an operand of an operand.
func (v *value) joins(x *value) bool {
	for v.within != nil && v.within.is(stepgraph.ConcatCols) && slices.Contains(v.within.in, v) {
		if v = v.within; v == x {
			return true
		}
	}
	return false
}

// root returns the value that owns the memory of v.
func (v *value) root() *value {
	for v.within != nil {
		v = v.within
	}
	return v
}

// isPartOf reports whether v is stored in the memory of another value, in the parameter
// whole. This is so if v is that value itself, a part of it, or a result that is computed in
// place of the value or of a part.
func (v *value) isPartOf(whole *value) bool {
	for ; v != whole; v = v.within {
		if v.within == nil {
			return false
		}
	}
	return true
}
