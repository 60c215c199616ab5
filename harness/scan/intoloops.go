package scan

import (
	"slices"

	"pushdown/harness/stepgraph"
)

// minSavedBytes is the least number of bytes in a full batch that a move into a
// loop must save, a fraction of a second-level cache: each instruction in a loop
// costs time in every step.
const minSavedBytes = 3 << 17

// moveIntoLoops moves elementwise values that follow a loop into it, where the
// results of the step are still in the cache, if fewer words outlive the step then.
// For example, it stores the gradient of a gate instead of the gradients of the
// push and the pop that it is the sum of.
func (p *plan) moveIntoLoops() {
	if p.noSharing {
		return
	}
	if p.minSaved == 0 {
		p.minSaved = minSavedBytes
	}
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

// movableParts returns the elementwise values after a loop that read only each
// other and values available in the loop, in parts that do not read one another.
func (p *plan) movableParts(loop, after Phase) (parts [][]*value) {
	of := map[*value]int{} // index of its part
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

// savedWords returns the number of words per row that no longer outlive the step if
// the part is computed in the loop, less those that do then.
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
