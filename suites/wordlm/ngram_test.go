package wordlm

import (
	"errors"
	"fmt"
	"testing"

	"pushdown/corpora/text"
	"pushdown/harness/suite"
	"pushdown/models/ngram"
)

// TestNgrams checks that the n-gram models have the perplexities on the Penn Treebank
// that the comment of package ngram states.
func TestNgrams(t *testing.T) {
	corpus, err := words("ptb")
	if m := (*suite.Missing)(nil); errors.As(err, &m) {
		suite.Skip(t, m.Need, m.Reason, m.Remedy)
	}
	if err != nil {
		t.Fatal(err)
	}
	train, valid, test := corpus.Train.Stream()[1:], corpus.Valid.Stream()[1:], corpus.Test.Stream()[1:]
	want := map[bool]string{
		false: "148.008 141.186, {Words:250 Weight:0.1} 130.253 126.827",
		true:  "151.421 143.512, {Words:250 Weight:0.11} 130.997 127.236",
	}
	for _, single := range []bool{false, true} {
		m, err := ngram.Train(ngram.Config{Order: 5, Vocabulary: corpus.Len(), End: text.End, Single: single}, train)
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
