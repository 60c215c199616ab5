package formal

import (
	"fmt"
	"strings"

	"pushdown/harness/rng"
)

// Language is a language of the recognition experiments: [Dyck] or [Palindrome]. Its
// symbols are numbered from 0. One more symbol, End, tells a reader that the string has
// ended. End is not part of the string.
type Language interface {
	// String returns the name that [LanguageOf] accepts.
	String() string
	// Alphabet returns one letter for each symbol, in order.
	Alphabet() string
	// NewOracle returns a new oracle that has read nothing.
	NewOracle() Oracle
	// Strings returns the number of strings that have the given length, in symbols. The
	// number is rounded to float64.
	Strings(length int) float64

	// draw appends a random string with a length in [least, most] to dst. If the string that
	// it has drawn is too short, draw returns false, and the caller tries again.
	draw(dst []uint8, q *rng.Seq, least, most int) ([]uint8, bool)
}

// An Oracle reads a string of a language symbol by symbol and answers questions about
// the prefix that it has read.
type Oracle interface {
	// Reset returns to the state before the first symbol.
	Reset()
	// Read reads the next symbol, which may be End. It panics if the symbol is neither
	// End nor in the alphabet.
	Read(symbol uint8)
	// Viable reports whether the prefix can still become a string of the language.
	// After End it reports whether the symbols before End are a string of the language.
	Viable() bool
	// Complete reports whether the prefix itself is a string of the language.
	Complete() bool
	// Due returns the symbol that closes what is open: the closing bracket of the topmost
	// open one, the next letter of the second half of a palindrome, or End if nothing is
	// open and the prefix is complete. The second result is false if the prefix is not
	// viable or no symbol is due.
	Due() (symbol uint8, due bool)
	// Allows reports whether the prefix could go on with a symbol, which may be End: whether Viable
	// would be true after Read of the symbol.
	Allows(symbol uint8) bool
	// Closes reports whether a symbol of the alphabet is wrong wherever another symbol is
	// due, as a closing bracket is. The answer does not depend on what has been read. For End
	// it is false.
	Closes(symbol uint8) bool
}

// End returns the number of the end symbol, the first after those of the alphabet.
func End(lang Language) uint8 { return uint8(len(lang.Alphabet())) }

// Symbols returns the number of symbols that a network reads, including End.
func Symbols(lang Language) int { return len(lang.Alphabet()) + 1 }

// LanguageOf returns the language with the given name: D1 to D7, palindrome, palindrome-mapped
// or palindrome-mapped-unmarked.
func LanguageOf(name string) (Language, error) {
	for _, l := range palindromes {
		if l.String() == name {
			return l, nil
		}
	}
	for types := 1; types <= mostPairs; types++ {
		if d := (Dyck{Types: types}); d.String() == name {
			return d, nil
		}
	}
	return nil, fmt.Errorf("unknown language %q, want D1 to D%d, or one of %v", name, mostPairs, palindromes)
}

// Parse returns the symbols of a text that is written in the letters of the alphabet.
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

// Text formats symbols as letters, End as a full stop and other numbers as ?.
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

// accepts reports whether a string, without End, is in the language of the oracle.
func accepts(j Oracle, symbols []uint8) bool {
	j.Reset()
	for _, s := range symbols {
		j.Read(s)
	}
	return j.Complete()
}
