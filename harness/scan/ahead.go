package scan

import (
	"math"
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// Stacks of zeros that zeros move into fill up from the top, a cell with each step,
// and a memory that goes round from both ends. Where states are not kept, what lies
// beyond is written once, when a batch begins: two places take turns, in which the
// columns of a string do not move.

// passing tells whether states may leave their places after the next step: there
// are stacks among them, and no gradients.
func (p *plan) passing() bool {
	return !p.train && !p.apart && p.opts.Window == 0 && slices.ContainsFunc(p.states, func(s *state) bool { return s.in.place.StackMajor })
}

// ahead gives the stacks of the loop their reach.
func (p *plan) ahead() {
	if !p.segments || p.train {
		return
	}
	for _, s := range p.states {
		r := s.filled()
		for i := range p.code[Loop] {
			in := &p.code[Loop][i]
			if r == nil || in.Op != kernel.Stack || in.Args[0] != s.out.at || in.Args[1] != s.in.at {
				continue
			}
			in.Nonzero = r
			fill := s.out.shape(kernel.Fill)
			fill.Args = []kernel.Arg{s.out.at}
			p.empty = append(p.empty, fill)
		}
	}
}

// filled is the reach of the stacks of s, nil if they have none.
func (s *state) filled() *kernel.NonzeroRange {
	if !s.in.place.StackMajor || math.Float64bits(s.spec.Init) != 0 {
		return nil
	}
	from, to := 0, 0
	v := s.out
	for ; v.is(stepgraph.AddAtRows) && v.op.I[2] == 1 && v.within == v.in[0] && v.over; v = v.in[0] {
		first, end := v.op.I[0], v.op.I[0]+v.in[1].rows
		if 2*first > v.rows {
			from = min(from, first-v.rows)
		} else {
			to = max(to, end)
		}
	}
	if !v.is(stepgraph.Stack) && !v.is(stepgraph.StackNoop) || v.in[0] != s.in || math.Float64bits(v.op.F[0]) != 0 {
		return nil
	}
	for _, w := range v.in[1 : len(v.in)-1] {
		if !unsigned(w) {
			return nil
		}
	}
	cell := v.op.I[0]
	whole := func(rows int) int { return (rows + cell - 1) / cell * cell }
	return &kernel.NonzeroRange{From: -whole(-from), To: whole(max(to, cell)), Step: cell}
}
