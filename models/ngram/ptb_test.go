package ngram_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/suite"
	"pushdown/models/ngram"
)

// TestPennTreebank checks the perplexities in the package comment.
func TestPennTreebank(t *testing.T) {
	ids := map[string]int32{}
	train, valid, test := penn(t, ids, "train"), penn(t, ids, "valid"), penn(t, ids, "test")
	if len(train) != 929_589 || len(valid) != 73_760 || len(test) != 82_430 || len(ids) != 10_000 {
		t.Fatalf("have %d, %d and %d tokens of %d words, want 929589, 73760 and 82430 of 10000", len(train), len(valid), len(test), len(ids))
	}
	want := map[bool]string{
		false: "148.008 141.186, {Words:250 Weight:0.1} 130.253 126.827",
		true:  "151.421 143.512, {Words:250 Weight:0.11} 130.997 127.236",
	}
	for _, single := range []bool{false, true} {
		m, err := ngram.Train(ngram.Config{Order: 5, Vocabulary: len(ids), End: ids["<eos>"], Single: single}, train)
		if err != nil {
			t.Fatal(err)
		}
		validProbs, testProbs := probs(t, m, valid), probs(t, m, test)
		cache, err := ngram.TuneCache(ngram.DefaultGrid(), validProbs, valid)
		if err != nil {
			t.Fatal(err)
		}
		have := fmt.Sprintf("%.3f %.3f, %+v %.3f %.3f", perplexity(t, validProbs), perplexity(t, testProbs),
			cache, perplexity(t, mix(t, cache, validProbs, valid)), perplexity(t, mix(t, cache, testProbs, test)))
		if have != want[single] {
			t.Errorf("single %v: have %s, want %s", single, have, want[single])
		}
	}
}

// penn returns a file of the Penn Treebank as tokens. In the training file it gives
// each new word the next number. The other files must contain no new words.
func penn(t *testing.T, ids map[string]int32, name string) (text []int32) {
	t.Helper()
	folder := suite.Current().Corpora
	file := filepath.Join(folder, "ptb", "ptb."+name+".txt")
	b, err := os.ReadFile(file)
	if folder == "" || os.IsNotExist(err) {
		suite.Skip(t, "ptb", "no ptb/ptb."+name+".txt in PUSHDOWN_CORPORA", "set PUSHDOWN_CORPORA to a folder with the Penn Treebank as prepared by Mikolov et al.")
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		for _, w := range append(strings.Fields(line), "<eos>") {
			id, found := ids[w]
			if !found && name != "train" {
				t.Fatalf("%s: have the word %q, want only words of the training file", file, w)
			}
			if !found {
				id = int32(len(ids))
				ids[w] = id
			}
			text = append(text, id)
		}
	}
	return text
}

func probs(t *testing.T, m *ngram.Model, text []int32) []float64 {
	t.Helper()
	p, err := m.Probs(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mix(t *testing.T, c ngram.Cache, probs []float64, text []int32) []float64 {
	t.Helper()
	p, err := c.Mix(probs, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func perplexity(t *testing.T, probs []float64) float64 {
	t.Helper()
	p, err := ngram.Perplexity(probs)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
