package formal

import (
	"fmt"
	"math"

	"pushdown/harness/rng"
)

// Palindrome is a language of a word over the letters a and b and its mirror image. [diffstk]
// does not say which palindromes it means. There are three readings, each of which a deterministic
// pushdown automaton can tell from left to right, because the paper's best runs reach an
// accuracy of 100:
//
//	Palindrome{}                               w c w^R        the marker c, and the word backwards
//	Palindrome{Mapped: true}                   w c phi(w^R)   the same with letters of their own, A for a and B for b
//	Palindrome{Mapped: true, Unmarked: true}   w phi(w^R)     without the marker: the letters show the half
//
// Two sources that the paper cites speak for letters of their own: one has a homomorphic
// palindrome language, the other trains on a^n b^m B^m A^n.
//
// With a marker all lengths are odd, without it all are even. The length of a drawn string is
// uniform over these lengths in a range, and its word is uniform over the words that
// give this length.
type Palindrome struct {
	Mapped   bool // whether the second half has letters of its own
	Unmarked bool // whether there is no marker between the halves; it needs Mapped
}

// String returns the name of the language.
func (l Palindrome) String() string {
	switch {
	case l.Unmarked:
		return "palindrome-mapped-unmarked"
	case l.Mapped:
		return "palindrome-mapped"
	}
	return "palindrome"
}

// palindromes lists the three languages.
var palindromes = []Palindrome{{}, {Mapped: true}, {Mapped: true, Unmarked: true}}

// Alphabet returns the letters of the word, those of its image if they differ, and the marker.
func (l Palindrome) Alphabet() string {
	switch {
	case l.Unmarked:
		return "abAB"
	case l.Mapped:
		return "abABc"
	}
	return "abc"
}

// image returns the symbol of the second half that stands for a letter of the word.
func (l Palindrome) image(letter uint8) uint8 {
	if l.Mapped {
		return letter + 2
	}
	return letter
}

// middle returns the length of the marker.
func (l Palindrome) middle() int {
	if l.Unmarked {
		return 0
	}
	return 1
}

// marker returns the number of the marker, or that of End if there is none.
func (l Palindrome) marker() uint8 { return End(l) - uint8(l.middle()) }

// Strings returns the number of strings of the given length: 2^n for a
// word of n letters, and 0 for lengths that no string has.
func (l Palindrome) Strings(length int) float64 {
	if n := length - l.middle(); n >= 0 && n%2 == 0 {
		return math.Ldexp(1, n/2)
	}
	return 0
}

func (l Palindrome) draw(dst []uint8, q *rng.Seq, least, most int) ([]uint8, bool) {
	shortest := (least - l.middle() + 1) / 2 // letters of the shortest word
	half := shortest + int(q.IntN(uint32((most-l.middle())/2-shortest+1)))
	start := len(dst)
	for range half {
		dst = append(dst, uint8(q.IntN(2)))
	}
	if !l.Unmarked {
		dst = append(dst, l.marker())
	}
	for i := range half {
		dst = append(dst, l.image(dst[start+half-1-i]))
	}
	return dst, true
}

// NewOracle returns a new oracle of the language. It keeps a stack of the word's
// letters.
func (l Palindrome) NewOracle() Oracle { return &palindromeOracle{lang: l} }

type palindromeOracle struct {
	lang   Palindrome
	due    []uint8 // symbols of the second half, the next one last
	second bool    // whether the marker or a symbol of the second half has been read
	wrong  bool
	ended  bool
}

func (j *palindromeOracle) Reset() { *j = palindromeOracle{lang: j.lang, due: j.due[:0]} }

func (j *palindromeOracle) Read(symbol uint8) {
	end := End(j.lang)
	if symbol > end {
		panic(fmt.Sprintf("formal: symbol %d of %v, want 0 to %d", symbol, j.lang, end))
	}
	if j.lang.Unmarked && 2 <= symbol && symbol < end {
		j.second = true
	}
	switch top := len(j.due) - 1; {
	case j.wrong:
	case j.ended:
		j.wrong = true
	case symbol == end:
		j.wrong = !j.Complete()
		j.ended = true
	case symbol == j.lang.marker():
		j.second, j.wrong = true, j.second
	case !j.second && symbol < 2:
		j.due = append(j.due, j.lang.image(symbol))
	case !j.second || top < 0 || j.due[top] != symbol:
		j.wrong = true
	default:
		j.due = j.due[:top]
	}
}

func (j *palindromeOracle) Viable() bool { return !j.wrong }

func (j *palindromeOracle) Complete() bool {
	return !j.wrong && len(j.due) == 0 && (j.second || j.lang.Unmarked)
}

func (j *palindromeOracle) Due() (uint8, bool) {
	switch {
	case j.ended:
		return 0, false
	case j.Complete():
		return End(j.lang), true
	case j.wrong || !j.second:
		return 0, false
	}
	return j.due[len(j.due)-1], true
}

func (j *palindromeOracle) Allows(symbol uint8) bool {
	switch top := len(j.due) - 1; {
	case j.wrong || j.ended:
		return false
	case symbol == End(j.lang):
		return j.Complete()
	case symbol == j.lang.marker():
		return !j.second
	case !j.second && symbol < 2:
		return true
	default:
		return (j.second || j.lang.Unmarked) && top >= 0 && j.due[top] == symbol
	}
}

// Closes returns true for all symbols but End. In the second half of a
// palindrome the next letter is certain, and a network that predicts the marker there is as
// wrong as one that predicts another letter.
func (j *palindromeOracle) Closes(symbol uint8) bool { return symbol < End(j.lang) }
