package formal

import (
	"fmt"
	"slices"
	"strings"
)

// Pattern is a task of the paper stack-rnn: to predict the next symbol of a stream. The
// stream consists of strings without a mark between them. The first symbols of each string
// are drawn at random; they determine its other symbols. This table has an example of a
// string for each pattern, and says what the length n of a string counts:
//
//	anbn          aabb                 n a's
//	anbncn        aabbcc               n a's
//	anbncndn      aabbccdd             n a's
//	anb2n         aabbbb               n a's
//	anbmcnm       abbccc               n a's and b's together
//	memorization  2212=2122            n symbols, each 1 or 2; =; the n symbols reversed
//	addition      10+1=11.             n digits of both numbers together
//
// The numbers of an addition are binary. The two summands are written as usual, with the
// highest digit first, and the sum with the lowest digit first. A number without digits is
// written as 0.
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

// Patterns lists all patterns.
func Patterns() []Pattern {
	return []Pattern{AnBn, AnBnCn, AnBnCnDn, AnB2n, AnBmCnm, Memorization, Addition}
}

// symbols returns the symbols of the pattern, one character for each token.
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

// Validate returns an error if the pattern does not exist.
func (p Pattern) Validate() error {
	if !slices.Contains(Patterns(), p) {
		return fmt.Errorf("pattern %q is unknown, want one of %v", string(p), Patterns())
	}
	return nil
}

// Vocabulary returns the number of tokens, 0 for an unknown pattern.
func (p Pattern) Vocabulary() int { return len(p.symbols()) }

// Token returns the character of a token. For a number outside the vocabulary, such as 9, it
// returns "token 9".
func (p Pattern) Token(t uint8) string {
	if s := p.symbols(); int(t) < len(s) {
		return s[t : t+1]
	}
	return fmt.Sprintf("token %d", t)
}

// Format returns the tokens as characters.
func (p Pattern) Format(tokens []uint8) string {
	var out strings.Builder
	for _, t := range tokens {
		out.WriteString(p.Token(t))
	}
	return out.String()
}

// Shortest returns the smallest n for which there is a string. An addition without digits
// is 0+0=0., and anbmcnm has at least one a and one b.
func (p Pattern) Shortest() int {
	switch p {
	case Addition:
		return 0
	case AnBmCnm:
		return 2
	}
	return 1
}

// Counts reports whether the pattern is a counting language. All strings of such a
// language begin with a. So after the last symbol of a string, the next symbol is
// certain: the a of the next string.
func (p Pattern) Counts() bool { return p != Memorization && p != Addition }

// Range is a range of the length n of a [Pattern]: the n of each string is drawn
// uniformly from Min .. Max.
type Range struct{ Min, Max int }

// Check returns an error if the pattern does not exist or the range is not valid for
// it. In a valid range, p.Shortest() <= Min <= Max <= mostLength.
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
