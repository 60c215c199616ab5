package scan

import (
	"math"
	"slices"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// A stack that starts with zeros, and whose empty value is zero, fills up from the top by
// one cell per step. A circular memory fills up from both ends. The other cells are zero.
//
// If states are not kept, the steps write their states to two blocks in turn, and a string
// has the same place in both. Then the cells that are not filled yet are cleared once, when
// a batch begins. They stay zero because no step writes to them.

// mayDropStates reports whether states need not be kept after the next step. This is so if
// some states are stacks, no gradients are computed, and the VM is not for a stream.
func (p *plan) mayDropStates() bool {
	return !p.train && !p.noSharing && p.opts.Window == 0 && slices.ContainsFunc(p.states, func(s *state) bool { return s.in.layout.StackMajor })
}

// setStateRanges finds the instructions of the loop that compute stacks which fill up from
// zero. It sets the nonzero range of each instruction to the rows that are filled. It also
// adds to p.clearStacks an instruction that clears the stacks before a batch. It does nothing
// in training, or if all states are kept.
func (p *plan) setStateRanges() {
	if !p.dropStates || p.train {
		return
	}
	for _, s := range p.states {
		r := s.filledRange()
		for i := range p.code[Loop] {
			in := &p.code[Loop][i]
			if r == nil || in.Op != kernel.Stack || in.Args[0] != s.out.at || in.Args[1] != s.in.at {
				continue
			}
			in.Nonzero = r
			fill := s.out.shape(kernel.Fill)
			fill.Args = []kernel.Arg{s.out.at}
			p.clearStacks = append(p.clearStacks, fill)
		}
	}
}

// filledRange returns the nonzero range of the stacks of s, or nil if they have
// none.
func (s *state) filledRange() *kernel.NonzeroRange {
	if !s.in.layout.StackMajor || math.Float64bits(s.spec.Init) != 0 {
		return nil
	}
	from, to := 0, 0
	v := s.out
	for ; v.is(stepgraph.AddAtRows) && v.op.I[2] == 1 && v.within == v.in[0] && v.overwrites; v = v.in[0] {
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
		if !nonNegative(w) {
			return nil
		}
	}
	cell := v.op.I[0]
	whole := func(rows int) int { return (rows + cell - 1) / cell * cell }
	return &kernel.NonzeroRange{From: -whole(-from), To: whole(max(to, cell)), Step: cell}
}
