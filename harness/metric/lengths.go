package metric

import "fmt"

// Lengths counts, for each length n of a range, the strings whose answer was
// right throughout, and from that the lengths of which all strings were: what
// stack-rnn reports of a task.
type Lengths struct {
	lo int
	of []Share // by n less lo
}

// NewLengths is an empty count of the lengths lo to hi. It panics when there is
// none.
func NewLengths(lo, hi int) *Lengths {
	if hi < lo {
		panic(fmt.Sprintf("metric: lengths %d to %d, want the second no less", lo, hi))
	}
	return &Lengths{lo: lo, of: make([]Share, hi-lo+1)}
}

// Add counts a string of length n. It panics when n is outside the range.
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

// Of is the share of the strings of length n; it has no cases when n is outside
// the range.
func (l *Lengths) Of(n int) Share {
	if n < l.lo || n-l.lo >= len(l.of) {
		return Share{}
	}
	return l.of[n-l.lo]
}

// Right is the share of the lengths lo to hi of which every string was right. A
// length without a string has none that was wrong, and is right: a pattern may
// have no string so short.
func (l *Lengths) Right(lo, hi int) Share {
	var s Share
	for n := lo; n <= hi; n++ {
		s.Cases++
		if of := l.Of(n); of.Correct == of.Cases {
			s.Correct++
		}
	}
	return s
}

// Longest is the greatest n up to which every length from the least on was
// right, one less than the least if that was not.
func (l *Lengths) Longest() int {
	for i, s := range l.of {
		if s.Correct < s.Cases {
			return l.lo + i - 1
		}
	}
	return l.lo + len(l.of) - 1
}
