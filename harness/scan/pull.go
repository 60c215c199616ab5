package scan

import (
	"slices"

	"pushdown/harness/stepgraph"
)

// pullBytes is the least that pulling spares in a full batch, some part of a
// second-level cache: an instruction in a loop has its price in each step.
const pullBytes = 3 << 17

// pull moves elementwise values that follow a loop into it, where what the step
// has just made is near, if then fewer numbers outlive the step: the gradient of
// a gate alone, not those of the push and the pop that it is the sum of.
func (p *plan) pull() {
	if p.apart {
		return
	}
	if p.pulled == 0 {
		p.pulled = pullBytes
	}
	for _, c := range []struct{ loop, after Phase }{{Loop, Post}, {BackLoop, BackPost}} {
		for _, part := range p.following(c.loop, c.after) {
			if 4*p.opts.Rows*spared(part, c.loop) < p.pulled {
				continue
			}
			for _, v := range part {
				v.phase = c.loop
			}
		}
	}
}

// following returns the elementwise values after a loop that need nothing but
// each other and what is there in the loop, in parts that do not read one another.
func (p *plan) following(loop, after Phase) (parts [][]*value) {
	of := map[*value]int{} // its part
	for _, v := range p.values {
		if !v.live || v.leaf || v.phase != after || v.place.Domain != stepgraph.Step || v.place.StackMajor || !fusible(v.kind()) {
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

// spared is the number of words of a row that need not outlive the step if the
// part is computed in the loop, less those that then do.
func spared(part []*value, loop Phase) (words int) {
	outlives := func(v *value) bool {
		return v.outside || v.taken || v.next || slices.ContainsFunc(v.uses, func(u *value) bool {
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
