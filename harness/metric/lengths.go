package metric

import "fmt"

// Lengths counts, for each length n of a range, the strings and how many of them
// are right. From these counts it derives the lengths at which all strings are
// right, which the paper stack-rnn reports for a task.
type Lengths struct {
	lo int
	of []Share // indexed by n - lo
}

// NewLengths returns an empty count of the lengths lo to hi. It panics if hi < lo.
func NewLengths(lo, hi int) *Lengths {
	if hi < lo {
		panic(fmt.Sprintf("metric: lengths: have %d to %d, want the second no smaller than the first", lo, hi))
	}
	return &Lengths{lo: lo, of: make([]Share, hi-lo+1)}
}

// Add counts a string of length n. It panics if n is outside the range.
func (l *Lengths) Add(n int, right bool) {
	if n < l.lo || n-l.lo >= len(l.of) {
		panic(fmt.Sprintf("metric: length %d, want %d to %d", n, l.lo, l.lo+len(l.of)-1))
	}
	s := &l.of[n-l.lo]
	s.Cases++
	if right {
		s.Correct++
	}
}

// At returns the share of the strings of length n that are right. If n is outside
// the range, the share has no cases.
func (l *Lengths) At(n int) Share {
	if n < l.lo || n-l.lo >= len(l.of) {
		return Share{}
	}
	return l.of[n-l.lo]
}

// RightShare returns the share of the lengths lo to hi at which every string is
// right. A length without strings counts as right, because a pattern may have no
// string of that length.
func (l *Lengths) RightShare(lo, hi int) Share {
	var s Share
	for n := lo; n <= hi; n++ {
		s.Cases++
		if of := l.At(n); of.Correct == of.Cases {
			s.Correct++
		}
	}
	return s
}
