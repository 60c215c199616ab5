package wordlm

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"pushdown/corpora/text"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
	"pushdown/models/ngram"
	"pushdown/suites/lm"
)

// ngrams returns the rows of table 4 of the paper stack-rnn that are not trained step by
// step: an n-gram model of order 5, and the same with a cache that is tuned on the
// validation text. If single is set, each order has one discount, otherwise three.
func ngrams(corpus, task string, single bool) []suite.Computed {
	place := suite.RowID{Paper: "stack-rnn", Table: "4", Task: task}
	var list []suite.Computed
	for _, row := range []struct {
		name   string
		cached bool
	}{{"ngram", false}, {"ngram-cache", true}} {
		place.Row = row.name
		list = append(list, suite.Computed{ID: place, Seeds: 1, Compute: func(kernel.Device, int) ([]golden.Value, string, error) {
			return ngramValues(corpus, row.cached, single)
		}})
	}
	return list
}

// ngramValues returns the values of an n-gram model of a corpus. The digest is that of the
// probabilities of all validation and test words.
func ngramValues(corpus string, cached, single bool) (values []golden.Value, digest string, err error) {
	t, err := lm.Words(corpus)
	if err != nil {
		return nil, "", err
	}
	// The first token of a stream is <eos>, which ends no sentence of the part.
	tokens := func(p *text.Part[int32]) []int32 { return p.Stream()[1:] }
	m, err := ngram.Train(ngram.Config{Order: 5, Vocabulary: t.Len(), End: text.End, Single: single}, tokens(t.Train))
	if err != nil {
		return nil, "", err
	}
	parts := []struct {
		name string
		text []int32
	}{{"valid", tokens(t.Valid)}, {"test", tokens(t.Test)}}
	var cache ngram.Cache
	sum := sha256.New()
	for i, p := range parts {
		probs, err := m.Probs(p.text)
		if err != nil {
			return nil, "", err
		}
		if cached && i == 0 {
			if cache, err = ngram.TuneCache(ngram.DefaultGrid(), probs, p.text); err != nil {
				return nil, "", err
			}
		}
		if cached {
			if probs, err = cache.Mix(probs, p.text); err != nil {
				return nil, "", err
			}
		}
		nats, err := ngram.Nats(probs)
		if err != nil {
			return nil, "", err
		}
		perplexity, err := ngram.Perplexity(probs)
		if err != nil {
			return nil, "", err
		}
		values = append(values, golden.Value{Unit: p.name + "-ce", Value: nats}, golden.Value{Unit: p.name + "-ppl", Value: perplexity})
		for _, x := range probs {
			sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	return values, fmt.Sprintf("%x", sum.Sum(nil)), nil
}
