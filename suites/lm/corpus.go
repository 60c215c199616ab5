package lm

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"pushdown/corpora/text"
	"pushdown/harness/suite"
)

// corpora are the texts that a row can read.
var corpora = map[string]func() text.Corpus{"ptb": text.PTB, "shakespeare": text.Tiny, "wikitext-2": text.WikiText2}

// Words reads a corpus word by word. name is ptb, shakespeare or wikitext-2. The error is a
// *suite.Missing if the files are not there.
func Words(name string) (*text.Text[int32], error) { return read(name, text.Corpus.Words) }

// Characters reads a corpus character by character, like [Words].
func Characters(name string) (*text.Text[uint8], error) { return read(name, text.Corpus.Characters) }

func read[T text.Token](name string, by func(text.Corpus) (*text.Text[T], error)) (*text.Text[T], error) {
	of, ok := corpora[name]
	if !ok {
		return nil, fmt.Errorf("lm: have the corpus %q, want one of %s", name, strings.Join(slices.Sorted(maps.Keys(corpora)), ", "))
	}
	t, err := by(of())
	return t, Missing(name, err)
}

// Missing returns err, an error of reading the corpus of the given name, or a *suite.Missing
// if the files of the corpus are not there.
func Missing(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &suite.Missing{Need: name, Reason: err.Error(), Remedy: "put the files there, or set PUSHDOWN_CORPORA to the folder that has " + name + "/"}
	}
	return err
}
