package formal

import (
	"fmt"
	"strings"
)

// BoundedDyck is the language of well-nested strings over K types of brackets in
// which at most M brackets are open at any time, with a distribution over its strings. A
// string is drawn token by token:
//
//	no bracket open      END with probability 1/2, else an opening bracket
//	1 to M-1 open        the matching closing bracket with probability 1/2, else an opening one
//	M open               the matching closing bracket
//
// The type of an opening bracket is uniform. If END is drawn before the string has Min
// brackets, the token is drawn again. A finished string of more than Max tokens is
// discarded and another one is drawn. The other strings are kept.
type BoundedDyck struct {
	K   int // types of brackets, 1 to 127
	M   int // maximum number of open brackets, 1 to 64
	Min int // brackets before END is possible; 0 allows the empty string
	Max int // length of the longest string including END, at most 65,536
}

// The largest valid K, M and Max. K is bounded because a language has 2K+2 tokens and a
// token must fit in a byte. M and Max are bounded because the tables of a [Chain] have
// about Max*(M+1) entries.
const (
	mostTypes  = 127
	mostDepth  = 64
	mostLength = 1 << 16
)

// NewBoundedDyck returns the language of k types and depth m with the lengths MinFor(m) and
// MaxFor(m). The caller may change the lengths. NewBoundedDyck does not check its arguments;
// every method that draws or analyses strings checks them with Validate.
func NewBoundedDyck(k, m int) BoundedDyck {
	return BoundedDyck{K: k, M: m, Min: MinFor(m), Max: MaxFor(m)}
}

// MinFor returns the default number of brackets before END is possible, 6m(m-2)+20. The
// formula is from a comment in the public code of Hewitt et al.; see the package comment.
func MinFor(m int) int { return 6*m*(m-2) + 20 }

// MaxFor returns the default maximum number of tokens of a string, END included: 8m(m-2)+60. The
// public code of Hewitt et al. has this maximum for its training strings.
func MaxFor(m int) int { return 8*m*(m-2) + 60 }

// Validate returns an error if the language has no strings or exceeds the bounds above.
func (d BoundedDyck) Validate() error {
	if d.K < 1 || d.K > mostTypes {
		return fmt.Errorf("%v: k is %d types of brackets, want 1 to %d", d, d.K, mostTypes)
	}
	if d.M < 1 || d.M > mostDepth {
		return fmt.Errorf("%v: m is %d open brackets, want 1 to %d", d, d.M, mostDepth)
	}
	if d.Min < 0 {
		return fmt.Errorf("%v: min is %d brackets, want 0 or more", d, d.Min)
	}
	if d.Max > mostLength {
		return fmt.Errorf("%v: max is %d tokens with END, want at most %d", d, d.Max, mostLength)
	}
	// Strings have an even number of brackets.
	shortest := d.Min + d.Min%2
	if d.Max < shortest+1 {
		return fmt.Errorf("%v: max is %d tokens with END, want at least %d: the shortest string with min of %d brackets has %d", d, d.Max, shortest+1, d.Min, shortest)
	}
	return nil
}

// String returns the name of the language with its parameters.
func (d BoundedDyck) String() string {
	return fmt.Sprintf("bounded Dyck language k=%d m=%d min=%d max=%d", d.K, d.M, d.Min, d.Max)
}

// Vocabulary returns the number of tokens, 2k+2.
func (d BoundedDyck) Vocabulary() int { return 2*d.K + 2 }

// Open returns the opening bracket of a type in 0 .. k-1.
func (d BoundedDyck) Open(kind int) uint8 { return uint8(kind) }

// Close returns the closing bracket of a type in 0 .. k-1.
func (d BoundedDyck) Close(kind int) uint8 { return uint8(d.K + kind) }

// Start returns the token that a language model reads first.
func (d BoundedDyck) Start() uint8 { return uint8(2 * d.K) }

// End returns the last token of each string.
func (d BoundedDyck) End() uint8 { return uint8(2*d.K + 1) }

// Token returns the name of a token in the public code: "(a", "(b", "a)", "b)", START, END.
// The 27th type is aa. For a number outside the vocabulary, Token returns a text such as
// "token 99".
func (d BoundedDyck) Token(t uint8) string {
	name := func(kind int) string {
		return strings.Repeat(string(rune('a'+kind%26)), 1+kind/26)
	}
	switch t := int(t); {
	case t < d.K:
		return "(" + name(t)
	case t < 2*d.K:
		return name(t-d.K) + ")"
	case t == 2*d.K:
		return "START"
	case t == 2*d.K+1:
		return "END"
	}
	return fmt.Sprintf("token %d", t)
}

// Format returns the names of the tokens, separated by blanks.
func (d BoundedDyck) Format(tokens []uint8) string {
	var out strings.Builder
	for i, t := range tokens {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(d.Token(t))
	}
	return out.String()
}
