package formal

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// recognised lists languages for recognition.
var recognised = []Language{Dyck{1}, Dyck{2}, Dyck{3}, Dyck{6}, Dyck{7}, palindromes[0], palindromes[1], palindromes[2]}

func TestLanguageOf(t *testing.T) {
	for _, want := range recognised {
		got, err := LanguageOf(want.String())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", want, diff)
		}
	}
	for _, name := range []string{"", "D0", "D8", "D02", "d2", "Palindrome", "D2 "} {
		_, err := LanguageOf(name)
		want := "unknown language \"" + name + "\", want D1 to D7, or one of [palindrome palindrome-mapped palindrome-mapped-unmarked]"
		if err == nil || err.Error() != want {
			t.Errorf("%q: got error %v, want %q", name, err, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct {
		lang Language
		text string
		want string
	}{
		{Dyck{2}, "([{])", "byte 2: '{' is outside the alphabet of D2, want one of ()[]"},
		{Dyck{2}, "()é", "byte 2: 'é' is outside the alphabet of D2, want one of ()[]"},
		{Palindrome{}, "abd", "byte 2: 'd' is outside the alphabet of palindrome, want one of abc"},
		{Palindrome{}, "aca.", "byte 3: '.' is outside the alphabet of palindrome, want one of abc"},
	} {
		if _, err := Parse(c.lang, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%v %q: got error %v, want %q", c.lang, c.text, err, c.want)
		}
	}
	defer func() {
		if got, want := recover(), "formal: symbol 5 of D2, want 0 to 4"; got != want {
			t.Errorf("got panic %v, want %q", got, want)
		}
	}()
	Dyck{2}.NewOracle().Read(5)
}

// contains reports whether the given text is in the language. It follows the definition of
// the language and uses no oracle. A string is in a Dyck language if repeatedly deleting
// adjacent pairs of brackets empties it. A palindrome has a word of the letters a and b, the marker c
// if it is marked, and the word backwards, in capitals if they are letters of their own.
func contains(lang Language, text string) bool {
	if l, ok := lang.(Palindrome); ok {
		word, rest := text[:len(text)/2], text[len(text)/2:]
		rest, marked := strings.CutPrefix(rest, "c")
		letters := []byte(word)
		slices.Reverse(letters)
		image := string(letters)
		if l.Mapped {
			image = strings.ToUpper(image)
		}
		return marked != l.Unmarked && rest == image && strings.Trim(word, "ab") == ""
	}
	letters := lang.Alphabet()
	for before := ""; before != text; {
		before = text
		for i := 0; i < len(letters); i += 2 {
			text = strings.ReplaceAll(text, letters[i:i+2], "")
		}
	}
	return text == ""
}

// forEachString calls visit for each string over the alphabet that has at most the given
// number of symbols.
func forEachString(lang Language, most int, visit func(symbols []uint8)) {
	var extend func(s []uint8)
	extend = func(s []uint8) {
		visit(s)
		if len(s) == most {
			return
		}
		for a := range uint8(len(lang.Alphabet())) {
			extend(append(s[:len(s):len(s)], a))
		}
	}
	extend(nil)
}

// TestJudgesAgreeWithTheDefinition lists all short strings of each language by its
// definition. It checks the oracle of the language and the counts that the method Strings
// returns against this list. A prefix is viable if some string of the language begins with
// it.
func TestJudgesAgreeWithTheDefinition(t *testing.T) {
	for _, c := range []struct {
		lang Language
		most int // symbols
	}{{Dyck{1}, 12}, {Dyck{2}, 8}, {Dyck{3}, 6}, {palindromes[0], 9}, {palindromes[1], 7}, {palindromes[2], 8}} {
		begins, count := map[string]bool{}, map[int]float64{}
		forEachString(c.lang, c.most, func(s []uint8) {
			if text := Text(c.lang, s); contains(c.lang, text) {
				count[len(s)]++
				for n := range len(text) + 1 {
					begins[text[:n]] = true
				}
			}
		})
		for n := range c.most + 1 {
			if got := c.lang.Strings(n); got != count[n] {
				t.Errorf("%v: %v strings of %d symbols, want %v", c.lang, got, n, count[n])
			}
		}
		judge := c.lang.NewOracle()
		// Test only prefixes of at most c.most/2 symbols. If such a prefix is viable, a
		// string of at most c.most symbols begins with it, so the map begins has the prefix.
		forEachString(c.lang, c.most/2, func(s []uint8) {
			text := Text(c.lang, s)
			judge.Reset()
			for _, a := range s {
				judge.Read(a)
			}
			if got, want := judge.Viable(), begins[text]; got != want {
				t.Fatalf("%v %q: viable is %v, want %v", c.lang, text, got, want)
			}
			if got, want := judge.Complete(), contains(c.lang, text); got != want {
				t.Fatalf("%v %q: complete is %v, want %v", c.lang, text, got, want)
			}
			checkDue(t, c.lang, text, judge, begins)
			for a := range End(c.lang) + 1 {
				next := c.lang.NewOracle()
				for _, b := range append(s[:len(s):len(s)], a) {
					next.Read(b)
				}
				if got, want := judge.Allows(a), next.Viable(); got != want {
					t.Fatalf("%v %q: allows %d is %v, want %v", c.lang, text, a, got, want)
				}
			}
			complete := judge.Complete()
			judge.Read(End(c.lang))
			if judge.Viable() != complete || judge.Complete() != complete {
				t.Fatalf("%v %q.: viable is %v and complete %v, want %v", c.lang, text, judge.Viable(), judge.Complete(), complete)
			}
			for a := range End(c.lang) + 1 {
				if judge.Allows(a) {
					t.Fatalf("%v %q.: allows %d, want nothing after the end", c.lang, text, a)
				}
			}
			judge.Read(0)
			if judge.Viable() || judge.Complete() {
				t.Fatalf("%v %q.%c: viable or complete after the end", c.lang, text, c.lang.Alphabet()[0])
			}
		})
	}
}

// checkDue checks the symbol that the oracle says is due after the prefix text: this symbol,
// and no other closing symbol, must lead to another viable prefix. The map begins has all
// viable prefixes.
func checkDue(t *testing.T, lang Language, text string, judge Oracle, begins map[string]bool) {
	t.Helper()
	due, ok := judge.Due()
	if !judge.Viable() {
		if ok {
			t.Fatalf("%v %q: symbol %d is due, want none: the prefix is not viable", lang, text, due)
		}
		return
	}
	l, palindrome := lang.(Palindrome)
	half := palindrome && !strings.Contains(text, "c") && !(l.Unmarked && strings.ContainsAny(text, "AB"))
	for a := range End(lang) {
		if !judge.Closes(a) || half {
			continue
		}
		if got, want := ok && due == a, begins[text+lang.Alphabet()[a:a+1]]; got != want {
			t.Fatalf("%v %q: %c due is %v, want %v", lang, text, lang.Alphabet()[a], got, want)
		}
	}
	if got, want := ok && due == End(lang), contains(lang, text); got != want {
		t.Fatalf("%v %q: the end due is %v, want %v", lang, text, got, want)
	}
}

func TestStringsOfLongLengths(t *testing.T) {
	if got := (Dyck{6}).Strings(LongestPart); !math.IsInf(got, 1) {
		t.Errorf("%v strings of %d brackets, want more than float64 holds", got, LongestPart)
	}
	// The number of strings of 25 pairs with two types of brackets: Catalan(25) * 2^25.
	if got, want := (Dyck{2}).Strings(50), 4861946401452.0*(1<<25); got != want {
		t.Errorf("%v strings of 50 brackets, want %v", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for i, text := range []string{"", "()", "([)]", "(((", "abcba", "acb", "ccc", "x", "é", "\xff"} {
		f.Add(i, text)
	}
	f.Fuzz(func(t *testing.T, which int, text string) {
		lang := recognised[uint(which)%uint(len(recognised))]
		symbols, err := Parse(lang, text)
		if outside := strings.Trim(text, lang.Alphabet()) != "" && strings.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune(lang.Alphabet(), r) }); outside != (err != nil) {
			t.Fatalf("%v %q: error %v", lang, text, err)
		}
		if err != nil {
			return
		}
		if back := Text(lang, symbols); back != text {
			t.Fatalf("%v: %q reads back as %q", lang, text, back)
		}
		if got, want := accepts(lang.NewOracle(), symbols), contains(lang, text); got != want {
			t.Fatalf("%v %q: accepted is %v, want %v", lang, text, got, want)
		}
	})
}

func FuzzLanguageOf(f *testing.F) {
	for _, name := range []string{"D1", "D7", "palindrome", "D", "D10"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		lang, err := LanguageOf(name)
		if (lang == nil) == (err == nil) {
			t.Fatalf("%q: language %v and error %v, want one of them", name, lang, err)
		}
		if err == nil && lang.String() != name {
			t.Fatalf("%q: the language is named %v", name, lang)
		}
	})
}
