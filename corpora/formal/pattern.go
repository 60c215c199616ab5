package formal

import (
	"fmt"
	"slices"
	"strings"
)

// Pattern is a task of stack-rnn: a set of strings, one or more for each length
// n, that follow each other in a stream without a mark between them. Of each
// string some symbols follow from those before; the rest are chance.
//
//	anbn          aabb                 n a's
//	anbncn        aabbcc               n a's
//	anbncndn      aabbccdd             n a's
//	anb2n         aabbbb               n a's
//	anbmcnm       abbccc               n a's and b's together
//	memorization  2212=2122            n symbols of two, =, and the n reversed
//	addition      10+1=11.             n digits of both numbers together
//
// Numbers of an addition are binary, the first digit of one is 1 and a number
// without digits is written 0; the sum begins with its lowest digit.
type Pattern string

// The patterns.
const (
	AnBn         Pattern = "anbn"
	AnBnCn       Pattern = "anbncn"
	AnBnCnDn     Pattern = "anbncndn"
	AnB2n        Pattern = "anb2n"
	AnBmCnm      Pattern = "anbmcnm"
	Memorization Pattern = "memorization"
	Addition     Pattern = "addition"
)

// Patterns lists all of them.
func Patterns() []Pattern {
	return []Pattern{AnBn, AnBnCn, AnBnCnDn, AnB2n, AnBmCnm, Memorization, Addition}
}

// symbols of each pattern, one character a token.
func (p Pattern) symbols() string {
	switch p {
	case AnBn, AnB2n:
		return "ab"
	case AnBnCn, AnBmCnm:
		return "abc"
	case AnBnCnDn:
		return "abcd"
	case Memorization:
		return "12="
	case Addition:
		return "01+=."
	}
	return ""
}

// Validate reports a pattern that does not exist.
func (p Pattern) Validate() error {
	if !slices.Contains(Patterns(), p) {
		return fmt.Errorf("pattern %q is unknown, want one of %v", string(p), Patterns())
	}
	return nil
}

// Vocabulary is the number of tokens, 0 of an unknown pattern.
func (p Pattern) Vocabulary() int { return len(p.symbols()) }

// Token names a token by its character, a number outside the vocabulary by its
// value.
func (p Pattern) Token(t uint8) string {
	if s := p.symbols(); int(t) < len(s) {
		return s[t : t+1]
	}
	return fmt.Sprintf("token %d", t)
}

// Format is the tokens as characters.
func (p Pattern) Format(tokens []uint8) string {
	var out strings.Builder
	for _, t := range tokens {
		out.WriteString(p.Token(t))
	}
	return out.String()
}

// Shortest is the least n that has a string. An addition of no digits is
// 0+0=0., and both a and b occur in anbmcnm.
func (p Pattern) Shortest() int {
	switch p {
	case Addition:
		return 0
	case AnBmCnm:
		return 2
	}
	return 1
}

// Counts reports whether the first symbol of the next string follows from a
// string, too: that of the counting languages, which all begin with a.
func (p Pattern) Counts() bool { return p != Memorization && p != Addition }

// Range is the lengths that strings are drawn from, n uniform in Min .. Max.
type Range struct{ Min, Max int }

// Check reports a range that is empty or has lengths without strings.
func (p Pattern) Check(r Range) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if r.Min < p.Shortest() {
		return fmt.Errorf("pattern %s: least n is %d, want at least %d", p, r.Min, p.Shortest())
	}
	if r.Max < r.Min {
		return fmt.Errorf("pattern %s: greatest n is %d, want at least the least, %d", p, r.Max, r.Min)
	}
	if r.Max > mostLength {
		return fmt.Errorf("pattern %s: greatest n is %d, want at most %d", p, r.Max, mostLength)
	}
	return nil
}
