package dyck

import (
	"fmt"
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/batch"
	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/metric"
	"pushdown/harness/numeric"
)

// The names of the fields of predictions.
const (
	fieldClosers = "closers"
	fieldNats    = "nats"
)

// exchange returns the strings of all splits, without what is predicted, and the test strings.
func (d Data) exchange() (*exchange.Set, formal.BoundedDyck, *formal.Corpus, error) {
	set := &exchange.Set{}
	var lang formal.BoundedDyck
	var corpus *formal.Corpus
	for _, split := range []formal.Split{formal.Train, formal.Dev, formal.Test} {
		var err error
		if lang, corpus, err = d.Sample(split); err != nil {
			return nil, lang, nil, err
		}
		set.Splits = append(set.Splits, exchange.Split{Name: string(split), Scored: split == formal.Test, Strings: corpus.Len(), Text: exchange.Text(corpus.Body)})
	}
	for t := range 2 * lang.K {
		name := lang.Token(uint8(t))
		if set.Alphabet = append(set.Alphabet, name); t >= lang.K {
			set.Closing = append(set.Closing, name)
		}
	}
	return set, lang, corpus, nil
}

// closing returns the number of closing brackets of string i.
func closing(s *exchange.Split, i int) int { return len(s.Text(i)) / 2 }

// closersField is the field from which WCPA follows.
var closersField = exchange.Field{Name: fieldClosers, Values: exchange.Probabilities, Count: closing,
	Definition: "for each closing bracket, in order, the probability that the model gives to its type after the tokens before it, divided by the sum of the probabilities of all closing brackets"}

// wcpaMetric is the metric that follows from that field.
var wcpaMetric = exchange.Metric{Unit: "test-wcpa-%",
	Definition: "WCPA: the lowest LDPA over the distances that occur, in per cent; LDPA is the share of the closing brackets at one distance from their opening bracket for which the number in closers is at least 0.8"}

// Exchange returns the strings of the row.
func (e Experiment) Exchange() (*exchange.Set, error) {
	set, lang, test, err := e.exchange()
	if err != nil {
		return nil, err
	}
	set.Fields = []exchange.Field{closersField, {Name: fieldNats, Values: exchange.Nats, Count: closing,
		Definition: "for each closing bracket, the negative natural logarithm of the number in closers"}}
	set.Metrics = []exchange.Metric{wcpaMetric, {Unit: "test-ce", Definition: "the mean of nats over all closing brackets"}}
	set.Score = func(p *exchange.Predictions) ([]golden.Value, error) {
		strings := NewStrings(lang, test, evalStrings)
		acc := &Accuracy{LDPA: metric.NewLDPA(metric.Paper, lang.Max)}
		acc.Loss, err = score(p, acc.LDPA, strings.Set, func(i int) ([]question, error) {
			return questions(strings.Batch(i), nil, lang.Closings, 0, -1)
		})
		if err != nil {
			return nil, err
		}
		return acc.values()
	}
	return set, nil
}

// Exchange returns the strings of the row.
func (e LanguageModel) Exchange() (*exchange.Set, error) {
	set, lang, test, err := e.exchange()
	if err != nil {
		return nil, err
	}
	set.Fields = []exchange.Field{closersField, {Name: fieldNats, Values: exchange.Nats,
		Count:      func(s *exchange.Split, i int) int { return len(s.Text(i)) + 1 },
		Definition: "for each symbol of the string, and then for the end of the string, the negative natural logarithm of the probability that the model gives to it after the symbols before it"}}
	set.Metrics = []exchange.Metric{
		{Unit: "test-ppl", Definition: "the perplexity: e to the mean of nats over all symbols and ends"}, wcpaMetric,
		{Unit: "test-wcpa20-%", Definition: fmt.Sprintf("like test-wcpa-%%, over the distances with at least %d closing brackets", frequent)},
	}
	set.Score = func(p *exchange.Predictions) ([]golden.Value, error) {
		sentences := NewSentences(lang, test, evalStrings)
		s := &Scores{Paper: metric.NewLDPA(metric.Paper, lang.Max)}
		s.Loss, err = score(p, s.Paper, sentences.Set, func(i int) ([]question, error) { return sentences.closings(i, nil) })
		if err != nil {
			return nil, err
		}
		return s.values(string(formal.Test), "")
	}
	return set, nil
}

// sameEvent is by how much probabilities of the same event may differ that come from two computations in 32 bits.
const sameEvent = 1e-4

// score adds the closing brackets of all test strings to an LDPA, and returns the mean of the nats. It
// adds up the nats in the order in which an evaluation of our networks does: by batch, and in a batch by row. The
// function closings returns the questions of a batch of the set, in the order of its strings.
func score(p *exchange.Predictions, to *metric.LDPA, set *batch.Set[uint8], closings func(i int) ([]question, error)) (float64, error) {
	var mean metric.CrossEntropy
	for b := range set.Len() {
		packed := set.Batch(b)
		list, err := closings(b)
		if err != nil {
			return 0, err
		}
		loss := slices.Repeat([]float32{-1}, packed.Rows) // negative where nothing is predicted
		for i, s := range packed.List {
			closers := p.Numbers(fieldClosers, string(formal.Test), int(s.String))
			nats := p.Numbers(fieldNats, string(formal.Test), int(s.String))
			every := len(nats) > len(closers) // a language model predicts every symbol
			for j, q := range list[:len(closers)] {
				if to.AddShare(q.distance, closers[j]); !every {
					loss[q.row] = float32(nats[j])
				}
			}
			for t := 0; every && t < len(nats); t++ {
				loss[packed.Row(t, i)] = float32(nats[t])
			}
			for j, q := range list[:len(closers)] {
				// The probability among closing brackets is the probability among all symbols, or more.
				relation := "equal"
				if every {
					relation = "the first or more"
				}
				if have := numeric.Exp64(-float64(loss[q.row])); have > closers[j]+sameEvent || !every && have < closers[j]-sameEvent {
					return 0, fmt.Errorf("string %d of %s: closing bracket %d: have a probability of %.6g by %s and of %.6g in %s, want the second to be %s",
						s.String, formal.Test, j, have, fieldNats, closers[j], fieldClosers, relation)
				}
			}
			list = list[len(closers):]
		}
		mean.AddRows(slices.DeleteFunc(loss, func(x float32) bool { return x < 0 }))
	}
	return mean.Mean()
}
