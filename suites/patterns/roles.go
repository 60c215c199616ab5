package patterns

import "pushdown/corpora/formal"

// empty is the top of an empty stack, which drifts a little.
func empty(top float32) bool { return top < -0.9 }

// Pattern tells whether two stacks do along the third string what the paper says
// of its trace of a^n b^2n: one is pushed on while a's are read and popped from
// when b's are, and the other begins to be popped from when the first is empty.
// Which stack is the first, whether it takes in the first b, and what the last b, after
// which an a is predicted, does to the other is left to the run.
func (t *Trace) Pattern() bool {
	steps := t.Shown(2)
	if len(steps) == 0 {
		return false
	}
	for first := range steps[0].Actions {
		for second := range steps[0].Actions {
			if first != second && follows(steps, first, second) {
				return true
			}
		}
	}
	return false
}

// follows holds two stacks against the pattern: pushes on all a's but one at most,
// then, from the second b at the latest, pops until the first is empty, and from
// there on, give or take a step, pops from the second up to the last b but one.
func follows(steps []Step, first, second int) bool {
	const a, b = 0, 1
	var as, bs []Step
	for i, s := range steps {
		switch {
		case i == 0: // reads the end of the string before
		case s.Current == a:
			as = append(as, s)
		case s.Current == b:
			bs = append(bs, s)
		}
	}
	missed := 0
	for _, s := range as {
		if s.Actions[first] != Push {
			missed++
		}
	}
	if missed > 1 {
		return false
	}
	end := -1 // the step that empties the first stack
	for i, s := range bs {
		if i > 0 && s.Actions[first] != Pop {
			return false
		}
		if s.Actions[first] == Pop && empty(s.Tops[first]) {
			end = i
			break
		}
	}
	if end < len(as)-2 {
		return false
	}
	pops, begins := 0, -1 // of the second stack, from its last push on
	for i, s := range bs[:max(len(bs)-1, 0)] {
		if s.Actions[second] == Pop {
			if pops == 0 {
				begins = i
			}
			pops++
		} else {
			pops = 0
		}
	}
	return pops >= 3 && begins >= end-1 && begins <= end+2
}

// The roles of stacks in an addition: what each may show of the place in the string
// and of the digits that the next one of the sum is made of.
const (
	phase = iota
	firstDigit
	secondDigit
	carried
	numRoles
)

// plain is how much of what a role says the top of a stack has to tell.
const plain = 0.95

// Roles is the number of roles that some stack has: from its top cell alone, in
// steps of a tenth, at least 0.95 of the steps are told which have that role. The
// top is that after the symbol before, which the network reads.
func (t *Trace) Roles() int {
	if len(t.Steps) == 0 {
		return 0
	}
	n := 0
	for role := range numRoles {
		for stack := range t.Steps[0].Tops {
			if t.tells(role, stack) >= plain {
				n++
				break
			}
		}
	}
	return n
}

// tells is the share of steps whose value of a role the top of a stack gives.
func (t *Trace) tells(role, stack int) float64 {
	var counts [21][3]int
	total := 0
	for i := 1; i < len(t.Steps); i++ {
		s := &t.Steps[i]
		value, ok := valueOf(role, t.Strings[s.String], s.At)
		if !ok || s.String%tracedReset == 0 && s.At == 0 {
			continue
		}
		cell := int((min(max(t.Steps[i-1].Tops[stack], -1), 1) + 1) * 10)
		counts[cell][value]++
		total++
	}
	right := 0
	for _, c := range counts {
		right += max(c[0], c[1], c[2])
	}
	return float64(right) / float64(max(total, 1))
}

// valueOf is what a role says at a place of an addition: the phase of each symbol,
// the digits and the carry of those of the sum, 2 where there is no digit left.
func valueOf(role int, x formal.PatternString, at int) (value int, ok bool) {
	const plus, equals = 2, 3
	var marks [2]int
	for i, s := range x.Tokens {
		if s == plus {
			marks[0] = i
		} else if s == equals {
			marks[1] = i
		}
	}
	if role == phase {
		switch {
		case at <= marks[0]:
			return 0, true
		case at <= marks[1]:
			return 1, true
		}
		return 2, true
	}
	if at < x.From {
		return 0, false
	}
	digit := func(i, lo, hi int) int {
		if hi-1-i < lo {
			return 2
		}
		return int(x.Tokens[hi-1-i])
	}
	i, c := at-x.From, 0
	for j := range i {
		c = (digit(j, 0, marks[0])&1 + digit(j, marks[0]+1, marks[1])&1 + c) >> 1
	}
	switch role {
	case firstDigit:
		return digit(i, 0, marks[0]), true
	case secondDigit:
		return digit(i, marks[0]+1, marks[1]), true
	}
	return c, true
}
