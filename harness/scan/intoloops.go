package scan

import (
	"slices"

	"pushdown/harness/stepgraph"
)

// minSavedBytes is the minimum number of bytes that a move into a loop must save in a full
// batch. Each instruction in a loop costs time in every step. A smaller saving is not worth
// that time, because so few bytes fit in a second-level cache, where they are cheap to write
// and read again.
const minSavedBytes = 3 << 17

// moveIntoLoops moves elementwise values that would be computed after a loop into the loop,
// if fewer words must then be stored until the loop has ended. In the loop, the results of
// the step are still in the cache. For example, the gradient of a gate is then stored instead
// of the gradients of the push and the pop, from which it is computed. It also moves large
// lookups; see moveLookups.
func (p *plan) moveIntoLoops() {
	if p.noSharing {
		return
	}
	if p.minSaved == 0 {
		p.minSaved = minSavedBytes
	}
	p.moveLookups()
	for _, c := range []struct{ loop, after Phase }{{Loop, Post}, {BackLoop, BackPost}} {
		for _, part := range p.movableParts(c.loop, c.after) {
			if 4*p.opts.MaxRows*savedWords(part, c.loop) < p.minSaved {
				continue
			}
			for _, v := range part {
				v.phase = c.loop
			}
		}
	}
}

// minLookupBytes is the minimum size of the results of a lookup, in a full batch, for which the lookup
// moves into the loop. Smaller results may still be in a cache when the loop reads them.
const minLookupBytes = 1 << 23

// moveLookups moves lookups from before the loop into it, if only the loop reads their results and
// these take at least minLookupBytes. Before the loop, they would all be written to memory, and read
// again step by step.
func (p *plan) moveLookups() {
	for _, v := range p.values {
		if !v.live || v.phase != Pre || !v.is(stepgraph.Gather) || v.isOutput || v.isGradResult || v.isNextState {
			continue
		}
		if p.minSaved >= 0 && 4*p.opts.MaxRows*v.cols < minLookupBytes {
			continue
		}
		if !slices.ContainsFunc(v.uses, func(u *value) bool { return u.phase != Loop }) {
			v.phase = Loop
		}
	}
}

// movableParts returns the elementwise values after a loop that read only each other
// and values available in the loop. It divides them into parts such that no value
// reads a value of another part.
func (p *plan) movableParts(loop, after Phase) (parts [][]*value) {
	of := map[*value]int{} // index of the part of a value
	for _, v := range p.values {
		if !v.live || v.leaf || v.phase != after || v.layout.Domain != stepgraph.Step || v.layout.StackMajor || !fusible(v.kind()) {
			continue
		}
		if slices.ContainsFunc(v.in, func(x *value) bool {
			_, there := of[x]
			return !there && !x.leaf && x.phase > loop
		}) {
			continue
		}
		part := []*value{v}
		for _, x := range v.in {
			if i, there := of[x]; there && i < len(parts) && parts[i] != nil {
				part, parts[i] = append(parts[i], part...), nil
			}
		}
		for _, x := range part {
			of[x] = len(parts)
		}
		parts = append(parts, part)
	}
	return parts
}

// savedWords returns how many words per row it saves to compute the part in the loop. Only
// words that must be stored until the loop has ended count. An input of the part that nothing
// else reads after the loop need not be stored, so its words are added. A result of the part
// that is read after the loop must be stored instead, so its words are subtracted.
func savedWords(part []*value, loop Phase) (words int) {
	outlives := func(v *value) bool {
		return v.isOutput || v.isGradResult || v.isNextState || slices.ContainsFunc(v.uses, func(u *value) bool {
			return u.phase != loop && !slices.Contains(part, u)
		})
	}
	seen := map[*value]bool{}
	for _, v := range part {
		if outlives(v) {
			words -= v.cols
		}
		for _, x := range v.in {
			if !seen[x] && !x.leaf && x.phase == loop && !outlives(x) {
				words += x.cols
			}
			seen[x] = true
		}
	}
	return words
}
