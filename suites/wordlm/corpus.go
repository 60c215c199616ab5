package wordlm

import (
	"errors"
	"fmt"
	"io/fs"

	"pushdown/corpora/text"
	"pushdown/harness/suite"
)

// corpora are the texts that a row can read.
var corpora = map[string]func() text.Corpus{"ptb": text.PTB, "shakespeare": text.Tiny}

// words reads a corpus word by word. name is a key of corpora. The error is a
// *suite.Missing if the files are not there.
func words(name string) (*text.Text[int32], error) {
	of, ok := corpora[name]
	if !ok {
		return nil, fmt.Errorf("wordlm: have the corpus %q, want ptb or shakespeare", name)
	}
	t, err := of().Words()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &suite.Missing{Need: name, Reason: err.Error(), Remedy: "put the files there, or set PUSHDOWN_CORPORA to the folder that has " + name + "/, and run with -count=1"}
	}
	return t, err
}
