package formal

import (
	"fmt"
	"math"

	"pushdown/harness/rng"
)

// Palindrome is the language of w c w^R: a word over the letters a and b, the marker c,
// and the word backwards. So all lengths are odd. The length of a drawn string is
// uniform over the odd lengths of a range, and its word is uniform over the words that
// give this length.
//
// [diffstk] does not say which palindromes it means. We assume a marker because the paper's best
// runs reach an accuracy of 100. Without a marker, no deterministic pushdown automaton can tell
// from left to right where the second half begins.
type Palindrome struct{}

// Symbols of a palindrome.
const (
	palindromeMarker = 2
	palindromeEnd    = 3
)

// String returns the name of the language.
func (Palindrome) String() string { return "palindrome" }

// Alphabet returns the two letters of a word and the marker.
func (Palindrome) Alphabet() string { return "abc" }

// Strings returns the number of strings of the given length: 2^n if length = 2n+1, for a
// word of n letters, and 0 for other lengths.
func (Palindrome) Strings(length int) float64 {
	if length < 1 || length%2 == 0 {
		return 0
	}
	return math.Ldexp(1, length/2)
}

func (Palindrome) draw(dst []uint8, q *rng.Seq, least, most int) ([]uint8, bool) {
	shortest := least / 2 // letters of the shortest word
	half := shortest + int(q.IntN(uint32((most-1)/2-shortest+1)))
	start := len(dst)
	for range half {
		dst = append(dst, uint8(q.IntN(2)))
	}
	dst = append(dst, palindromeMarker)
	for i := range half {
		dst = append(dst, dst[start+half-1-i])
	}
	return dst, true
}

// NewOracle returns a new oracle of the language. It keeps a stack of the word's
// letters.
func (Palindrome) NewOracle() Oracle { return &palindromeOracle{} }

type palindromeOracle struct {
	due    []uint8 // letters of the word, the next one last
	marked bool
	wrong  bool
	ended  bool
}

func (j *palindromeOracle) Reset() { *j = palindromeOracle{due: j.due[:0]} }

func (j *palindromeOracle) Read(symbol uint8) {
	switch top := len(j.due) - 1; {
	case symbol > palindromeEnd:
		panic(fmt.Sprintf("formal: symbol %d of %v, want 0 to %d", symbol, Palindrome{}, palindromeEnd))
	case j.wrong:
	case j.ended:
		j.wrong = true
	case symbol == palindromeEnd:
		j.ended, j.wrong = true, !j.marked || top >= 0
	case symbol == palindromeMarker:
		j.marked, j.wrong = true, j.marked
	case !j.marked:
		j.due = append(j.due, symbol)
	case top < 0 || j.due[top] != symbol:
		j.wrong = true
	default:
		j.due = j.due[:top]
	}
}

func (j *palindromeOracle) Viable() bool { return !j.wrong }

func (j *palindromeOracle) Complete() bool { return !j.wrong && j.marked && len(j.due) == 0 }

func (j *palindromeOracle) Due() (uint8, bool) {
	switch top := len(j.due) - 1; {
	case j.wrong || j.ended || !j.marked:
		return 0, false
	case top < 0:
		return palindromeEnd, true
	default:
		return j.due[top], true
	}
}

// Closes returns true for the two letters and for the marker. In the second half of a
// palindrome the next letter is certain, and a network that predicts the marker there is as
// wrong as one that predicts the other letter.
func (j *palindromeOracle) Closes(symbol uint8) bool { return symbol <= palindromeMarker }
