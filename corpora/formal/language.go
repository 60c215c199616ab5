package formal

import (
	"fmt"
	"strings"

	"pushdown/harness/rng"
)

// Language is a language of the recognition experiments: one of [Dyck] and
// [Palindrome]. Its symbols are numbered from 0; one more, End, closes a string
// that is read and belongs to no string of the language.
type Language interface {
	// String is the name that [LanguageOf] knows.
	String() string
	// Alphabet has one letter for each symbol, in their order.
	Alphabet() string
	// Judge returns the oracle, before the first symbol.
	Judge() Judge
	// Strings is the number of strings of a length in symbols, as far as float64
	// tells them apart.
	Strings(length int) float64

	// draw appends a string to dst by the language's distribution for lengths
	// from least to most. It gives up, with false, on a string outside of them.
	draw(dst []uint8, q *rng.Seq, least, most int) ([]uint8, bool)
}

// Judge is an oracle: it reads a string symbol by symbol and tells the truth
// about what it has read.
type Judge interface {
	// Reset goes back before the first symbol.
	Reset()
	// Read takes the next symbol, or End. It panics where [Check] has an error.
	Read(symbol uint8)
	// Viable tells whether the prefix can still become a string of the language;
	// after End, whether it is one.
	Viable() bool
	// Complete tells whether the prefix is itself a string of the language.
	Complete() bool
	// Due is the one symbol that settles what is open: the closing bracket of the
	// topmost open one, the next letter of the second half of a palindrome, or
	// End if nothing is open and the prefix is complete. It is false where the
	// prefix is not viable or nothing is due.
	Due() (symbol uint8, due bool)
	// Closes tells of a symbol whether it competes with the one that is due: where
	// something is due and the string goes on, each other such symbol is wrong.
	Closes(symbol uint8) bool
}

// End is the number of the end symbol: the first after the alphabet's.
func End(lang Language) uint8 { return uint8(len(lang.Alphabet())) }

// Symbols is the number of symbols that a network reads, End among them.
func Symbols(lang Language) int { return len(lang.Alphabet()) + 1 }

// LanguageOf returns the language of a name: D1 to D7, or palindrome.
func LanguageOf(name string) (Language, error) {
	if name == (Palindrome{}).String() {
		return Palindrome{}, nil
	}
	for types := 1; types <= mostPairs; types++ {
		if d := (Dyck{Types: types}); d.String() == name {
			return d, nil
		}
	}
	return nil, fmt.Errorf("unknown language %q, want D1 to D%d or %v", name, mostPairs, Palindrome{})
}

// Check reports the first number that is no symbol of the language's alphabet.
// End counts as none.
func Check(lang Language, symbols []uint8) error {
	n := len(lang.Alphabet())
	for i, s := range symbols {
		if int(s) >= n {
			return fmt.Errorf("position %d: symbol %d is outside the alphabet of %v, want 0 to %d", i, s, lang, n-1)
		}
	}
	return nil
}

// Parse returns the symbols of a text in the letters of the alphabet.
func Parse(lang Language, text string) ([]uint8, error) {
	alphabet := lang.Alphabet()
	symbols := make([]uint8, 0, len(text))
	for i, letter := range text {
		s := strings.IndexRune(alphabet, letter)
		if s < 0 {
			return nil, fmt.Errorf("byte %d: %q is outside the alphabet of %v, want one of %s", i, letter, lang, alphabet)
		}
		symbols = append(symbols, uint8(s))
	}
	return symbols, nil
}

// Text writes symbols as letters, End as a full stop and other numbers as ?.
func Text(lang Language, symbols []uint8) string {
	letters := lang.Alphabet() + "."
	text := make([]byte, len(symbols))
	for i, s := range symbols {
		text[i] = '?'
		if int(s) < len(letters) {
			text[i] = letters[s]
		}
	}
	return string(text)
}

// Accepts tells whether a string, without End, is in the language. A number that
// is no symbol is an error.
func Accepts(lang Language, symbols []uint8) (bool, error) {
	if err := Check(lang, symbols); err != nil {
		return false, err
	}
	return accepts(lang.Judge(), symbols), nil
}

func accepts(j Judge, symbols []uint8) bool {
	j.Reset()
	for _, s := range symbols {
		j.Read(s)
	}
	return j.Complete()
}
