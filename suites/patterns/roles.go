package patterns

import "pushdown/corpora/formal"

// empty reports whether top is the top of an empty stack, which is -1 but drifts a
// little.
func empty(top float32) bool { return top < -0.9 }

// Pattern reports whether two stacks of the network behave on the third string as the paper
// describes for a^n b^2n. The network pushes on the first stack at every a, and pops it at
// the b's until it is empty. Then it pops the second stack. Three steps may deviate: one a
// need not push on the first stack, the first b need not pop it, and the last b, after
// which an a is predicted, may do anything to the second.
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

// follows reports whether the two stacks with the given indices do what Pattern describes.
// The first stack must be pushed on at all a's but at most one, and popped from the first
// or second b on until it is empty. At least as many b's as a's minus one must be read by
// then. The second stack must be popped at three or more b's in a row, up to the last b but
// one. The first of these pops may come at most one step before the step that empties the
// first stack, and at most two steps after it.
func follows(steps []Step, first, second int) bool {
	const a, b = 0, 1
	var as, bs []Step
	for i, s := range steps {
		switch {
		case i == 0: // this step reads the last symbol of the string before
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
	pops, begins := 0, -1 // length and start of the last unbroken series of pops of the second stack
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

// The roles that a stack can have in an addition. It may show the place in the string,
// or one of the digits from which the next digit of the sum is computed.
const (
	phase = iota
	firstDigit
	secondDigit
	carried
	numRoles
)

// minShare is the share of steps at which the top of a stack must determine the value of a
// role.
const minShare = 0.95

// Roles returns the number of roles that at least one stack has. A stack has a role if its
// top cell, rounded down to a tenth, determines the value of the role. This must be so at a
// share of minShare of the steps or more. The top cell is that of the step before, because
// a step reads the stacks before it changes them.
func (t *Trace) Roles() int {
	if len(t.Steps) == 0 {
		return 0
	}
	n := 0
	for role := range numRoles {
		for stack := range t.Steps[0].Tops {
			if t.determined(role, stack) >= minShare {
				n++
				break
			}
		}
	}
	return n
}

// determined returns the share of steps at which the value of a role is guessed
// correctly from the top of a stack. The guess for each top is the most frequent value.
func (t *Trace) determined(role, stack int) float64 {
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

// valueOf returns the value of a role at the symbol of x with index at. The phase is 0 in
// the first number, 1 in the second and 2 in the sum. The digits and the carry have values
// only in the sum; elsewhere ok is false. A digit is 2 if its number has no digits left.
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
