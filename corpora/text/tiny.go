package text

import (
	_ "embed" // the text
	"strings"
)

//go:embed tiny/shakespeare.txt
var shakespeare string

// The numbers of lines of two parts of the text of Tiny. The first tinyValid lines are
// the validation text, the next tinyTest lines the test text, and the remaining lines
// the training text.
const (
	tinyValid = 768
	tinyTest  = 764
)

// Tiny returns the small text that is part of the repository, about 200 kB of Shakespeare. If it
// is read by word, words that occur only once in the training text become <unk>.
func Tiny() Corpus {
	valid, rest := cutLines(shakespeare, tinyValid)
	test, train := cutLines(rest, tinyTest)
	return Corpus{
		Name: "tiny", Title: "tiny Shakespeare, the first 200 kB", MinCount: 2,
		Files:   []File{{Name: "tiny.train", text: train}, {Name: "tiny.valid", text: valid}, {Name: "tiny.test", text: test}},
		Licence: "public domain", Source: "part of this repository: corpora/text/tiny",
	}
}

// cutLines cuts s after n lines.
func cutLines(s string, n int) (before, after string) {
	at := 0
	for range n {
		at += strings.IndexByte(s[at:], '\n') + 1
	}
	return s[:at], s[at:]
}
