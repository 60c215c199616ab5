package formal

import (
	"fmt"

	"pushdown/harness/rng"
)

// Dyck is the language of well-nested strings over some types of brackets, without a
// bound on their depth. Its strings are drawn from a probabilistic grammar:
//
//	S -> open_i S close_i   with probability 1/2, i uniform
//	S -> S S                with probability 1/4
//	S ->                    with probability 1/4
//
// Two rules limit the length to N symbols. An S is empty if the brackets that enclose it
// have N symbols or more. An S is also empty if it would produce more than N symbols.
// [diffstk] states no probabilities. The probabilities, the two rules and the letters of
// the alphabet are those of the public code of its stack baselines [marnns].
type Dyck struct {
	Types int // of brackets, 1 to 7
}

// pairs has the opening and the closing bracket of each type in turn.
const (
	pairs     = "()[]{}<>+-abxo"
	mostPairs = len(pairs) / 2
)

// String returns D and the number of types.
func (d Dyck) String() string { return fmt.Sprintf("D%d", d.Types) }

// Alphabet returns the opening and closing bracket of each type in turn.
func (d Dyck) Alphabet() string { return pairs[:2*d.Types] }

// Strings returns the Catalan number C(n) times Types^n, where n is half the length.
func (d Dyck) Strings(length int) float64 {
	if length < 0 || length%2 != 0 {
		return 0
	}
	n := 1.0
	for i := range length / 2 {
		n = n * float64(2*(2*i+1)) / float64(i+2) // exact while the product is below 2^53
	}
	for range length / 2 {
		n *= float64(d.Types)
	}
	return n
}

func (d Dyck) draw(dst []uint8, q *rng.Seq, least, most int) ([]uint8, bool) {
	dst = d.grow(dst, q, 0, most)
	return dst, len(dst) >= least
}

// grow appends the symbols that an S produces. The parameter around is the number of brackets
// that enclose the S, and the parameter most is the limit N on the number of symbols.
func (d Dyck) grow(dst []uint8, q *rng.Seq, around, most int) []uint8 {
	if around >= most {
		return dst
	}
	start := len(dst)
	switch q.IntN(4) {
	case 0, 1:
		open := uint8(2 * q.IntN(uint32(d.Types)))
		dst = append(d.grow(append(dst, open), q, around+2, most), open+1)
	case 2:
		dst = d.grow(d.grow(dst, q, around, most), q, around, most)
	}
	if len(dst)-start > most {
		dst = dst[:start]
	}
	return dst
}

// NewOracle returns a new oracle of the language. The oracle keeps a stack of the closing
// brackets that are due.
func (d Dyck) NewOracle() Oracle { return &dyckOracle{lang: d} }

type dyckOracle struct {
	lang  Dyck
	due   []uint8
	wrong bool
	ended bool
}

func (j *dyckOracle) Reset() { *j = dyckOracle{lang: j.lang, due: j.due[:0]} }

func (j *dyckOracle) Read(symbol uint8) {
	end := uint8(2 * j.lang.Types)
	switch top := len(j.due) - 1; {
	case symbol > end:
		panic(fmt.Sprintf("formal: symbol %d of %v, want 0 to %d", symbol, j.lang, end))
	case j.wrong:
	case j.ended:
		j.wrong = true
	case symbol == end:
		j.ended, j.wrong = true, top >= 0
	case symbol%2 == 0:
		j.due = append(j.due, symbol+1)
	case top < 0 || j.due[top] != symbol:
		j.wrong = true
	default:
		j.due = j.due[:top]
	}
}

func (j *dyckOracle) Viable() bool { return !j.wrong }

func (j *dyckOracle) Complete() bool { return !j.wrong && len(j.due) == 0 }

func (j *dyckOracle) Due() (uint8, bool) {
	switch top := len(j.due) - 1; {
	case j.wrong || j.ended:
		return 0, false
	case top < 0:
		return uint8(2 * j.lang.Types), true
	default:
		return j.due[top], true
	}
}

func (j *dyckOracle) Allows(symbol uint8) bool {
	switch top := len(j.due) - 1; {
	case j.wrong || j.ended:
		return false
	case int(symbol) == 2*j.lang.Types:
		return top < 0
	case symbol%2 == 0:
		return true
	default:
		return top >= 0 && j.due[top] == symbol
	}
}

func (j *dyckOracle) Closes(symbol uint8) bool {
	return symbol%2 == 1 && int(symbol) < 2*j.lang.Types
}
