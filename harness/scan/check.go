package scan

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// check holds what store decided against the graph, by rules of its own: the
// states after a step lie where the following step looks for them, and what is
// written where something else lies is written after that was last read.
func (p *plan) check() error {
	for _, s := range p.states {
		if at := s.out.at; at.Slot != kernel.StateOut || at.Off != s.block {
			return fmt.Errorf("scan: state %s after a step lies at %v, want @%d of its slot", s.spec.Name, at, s.block)
		}
	}
	handed := p.handed()
	for _, v := range p.values {
		if !v.live || !v.over {
			continue
		}
		for _, x := range p.values {
			if !x.live || x.root() != v.root() || x.liesIn(v) || besides(x, v) {
				continue
			}
			if handed[x.node] {
				return fmt.Errorf("scan: %s is written over %s, which is a result", v.label(), x.label())
			}
			for _, u := range x.uses {
				if u != v && !u.lies(x) && !u.cuts(x, v) && !(u.phase < v.phase || u.phase == v.phase && (u.turn < v.turn || p.pairs(v) == u)) {
					return fmt.Errorf("scan: %s is written over %s, which is read later by %s", v.label(), x.label(), u.label())
				}
			}
		}
	}
	return nil
}

// handed has the values that are read by what is no operation.
func (p *plan) handed() map[*gorgonia.Node]bool {
	handed := map[*gorgonia.Node]bool{p.g.Loss: true}
	for _, n := range p.g.Outputs { // marks commute
		handed[n] = true
	}
	for _, s := range p.g.States {
		handed[s.In], handed[s.Out], handed[s.GradIn] = true, true, true
	}
	for _, q := range p.g.Params {
		handed[q.Node] = true
		handed[q.Grad] = handed[q.Grad] || !q.Frozen
	}
	for _, in := range p.g.Inputs {
		handed[in.Node] = true
	}
	return handed
}

// addsToPart tells whether v is its first input with something added to a part
// of it.
func (v *value) addsToPart() bool { return v.is(stepgraph.AddAtRows) || v.is(stepgraph.AddAtCols) }

// lies tells whether u is but a part of x where that lies. What reads u is looked
// at for itself.
func (u *value) lies(x *value) bool { return u.within == x && !u.over }

// cuts tells whether u reads columns of x that are not those of v.
func (u *value) cuts(x, v *value) bool {
	from := x.at.Off + u.op.I[0]
	return u.is(stepgraph.SliceCols) && u.in[0] == x && u.op.I[2] == 1 && x.at.Slot == v.at.Slot && x.at.LD == v.at.LD &&
		(from+u.cols <= v.at.Off || v.at.Off+v.cols <= from)
}

// besides tells whether x and v are different columns of the same rows.
func besides(x, v *value) bool {
	by := v.at.Off - x.at.Off
	return !x.place.StackMajor && x.at.Slot == v.at.Slot && x.at.LD == v.at.LD && (by >= x.cols || -by >= v.cols)
}

// root is the value in whose memory v lies.
func (v *value) root() *value {
	for v.within != nil {
		v = v.within
	}
	return v
}

// liesIn tells whether v is the whole or what was made of it in place.
func (v *value) liesIn(whole *value) bool {
	for ; v != whole; v = v.within {
		if v.within == nil {
			return false
		}
	}
	return true
}
