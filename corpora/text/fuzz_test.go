package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzText reads an arbitrary text as training text, by word and by character. The text
// must be rejected if and only if it is not UTF-8, has a carriage return, begins with a byte
// order mark or, by word, has the word <eos>. An accepted text must be the same after encoding and decoding,
// except that, by word, a single space separates two words and all other white space
// within a line is removed.
func FuzzText(f *testing.F) {
	f.Add(" a b\n\n b <unk> \n")
	f.Add("no line feed at the end")
	f.Add("é\u2003ü\u0085\x00\n")
	f.Add("<eos>\n")
	f.Add("\r\n")
	f.Add("\ufeffa\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := Corpus{Files: []File{{Name: "a", text: text}, {Name: "b", text: "\n"}, {Name: "c", text: "\n"}}}
		if text == "" {
			return // a File without text is read from the disk
		}
		whole := strings.TrimSuffix(text, "\n") + "\n" // the last line may lack its line feed
		var spaced strings.Builder
		eos := false
		for line := range strings.SplitSeq(strings.TrimSuffix(whole, "\n"), "\n") {
			for i, word := range strings.Fields(line) {
				if i > 0 {
					spaced.WriteByte(' ')
				}
				spaced.WriteString(word)
				eos = eos || word == "<eos>"
			}
			spaced.WriteByte('\n')
		}
		bad := !utf8.ValidString(text) || strings.Contains(text, "\r") || strings.HasPrefix(text, "\ufeff")
		if x, err := c.Characters(); (err != nil) != bad {
			t.Errorf("characters: have the error %v, want one: %t", err, bad)
		} else if err == nil {
			roundTrip(t, x, whole)
		}
		if x, err := c.Words(); (err != nil) != (bad || eos) {
			t.Errorf("words: have the error %v, want one: %t", err, bad || eos)
		} else if err == nil {
			roundTrip(t, x, spaced.String())
		}
	})
}

// roundTrip checks that the training text of x decodes to the given text, as a whole and
// line by line. It also checks that encoding and decoding a line returns the same line.
func roundTrip[T Token](t *testing.T, x *Text[T], text string) {
	t.Helper()
	if have := x.Decode(x.Train.Stream()[1:]); have != text {
		t.Errorf("have %q, want %q", have, text)
	}
	i := 0
	for line := range strings.Lines(text) {
		tokens, err := x.Encode(strings.TrimSuffix(line, "\n"))
		if have := x.Decode(x.Train.Target(i)); have != line || err != nil || x.Decode(tokens)+"\n" != line {
			t.Errorf("line %d: have %q and %v (%v), want %q", i, have, tokens, err, line)
		}
		i++
	}
	if i != x.Train.Len() {
		t.Errorf("have %d sentences, want %d", x.Train.Len(), i)
	}
}
