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

// exchange returns the strings of all splits, without what is predicted, and those of each split. The parameter optional
// says whether the validation strings may have predictions.
func (d Data) exchange(optional bool) (*exchange.Set, formal.BoundedDyck, map[string]*formal.Corpus, error) {
	set := &exchange.Set{}
	var lang formal.BoundedDyck
	all := make(map[string]*formal.Corpus)
	for _, split := range []formal.Split{formal.Train, formal.Dev, formal.Test} {
		var corpus *formal.Corpus
		var err error
		if lang, corpus, err = d.Sample(split); err != nil {
			return nil, lang, nil, err
		}
		all[string(split)] = corpus
		set.Splits = append(set.Splits, exchange.Split{Name: string(split), Scored: split == formal.Test, Optional: split == formal.Dev && optional, Strings: corpus.Len(), Text: exchange.Text(corpus.Body)})
	}
	for t := range 2 * lang.K {
		name := lang.Token(uint8(t))
		if set.Alphabet = append(set.Alphabet, name); t >= lang.K {
			set.Closing = append(set.Closing, name)
		}
	}
	return set, lang, all, nil
}

// closing returns the number of closing brackets of string i.
func closing(s *exchange.Split, i int) int { return len(s.Text(i)) / 2 }

// closersField is the field from which WCPA follows.
var closersField = exchange.Field{Name: fieldClosers, Values: exchange.Probabilities, Count: closing,
	Definition: "for each closing bracket, in order, the probability that the model gives to its type after the tokens before it, divided by the sum of the probabilities of all closing brackets"}

// wcpaMetric is the metric that follows from that field.
var wcpaMetric = exchange.Metric{Unit: "test-wcpa-%", Split: string(formal.Test), Fields: []string{fieldClosers},
	Definition: "WCPA: the lowest LDPA over the distances that occur, in per cent; LDPA is the share of the closing brackets at one distance from their opening bracket for which the number in closers is at least 0.8"}

// Exchange returns the strings of the row.
func (e Experiment) Exchange() (*exchange.Set, error) {
	set, lang, strings, err := e.exchange(false)
	if err != nil {
		return nil, err
	}
	set.Fields = []exchange.Field{closersField, {Name: fieldNats, Values: exchange.Nats, Count: closing,
		Definition: "for each closing bracket, the negative natural logarithm of the number in closers"}}
	set.Metrics = []exchange.Metric{wcpaMetric, {Unit: "test-ce", Split: string(formal.Test), Fields: []string{fieldNats}, Definition: "the mean of nats over all closing brackets"}}
	set.Measure = func(p *exchange.Predictions, split string) ([]golden.Value, error) {
		of := NewStrings(lang, strings[split], evalStrings)
		acc := &Accuracy{LDPA: metric.NewLDPA(metric.Paper, lang.Max)}
		acc.Loss, err = score(p, split, acc.LDPA, of.Set, func(i int) ([]question, error) {
			return questions(of.Batch(i), nil, lang.Closings, 0, -1)
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
	set, lang, strings, err := e.exchange(true)
	if err != nil {
		return nil, err
	}
	set.Fields = []exchange.Field{closersField, {Name: fieldNats, Values: exchange.Nats,
		Count:      func(s *exchange.Split, i int) int { return len(s.Text(i)) + 1 },
		Definition: "for each symbol of the string, and then for the end of the string, the negative natural logarithm of the probability that the model gives to it after the symbols before it"}}
	names := map[string]string{string(formal.Dev): "valid", string(formal.Test): "test"} // in units
	for _, split := range []string{string(formal.Dev), string(formal.Test)} {
		wcpa := wcpaMetric
		wcpa.Unit, wcpa.Split = names[split]+"-wcpa-%", split
		set.Metrics = append(set.Metrics,
			exchange.Metric{Unit: names[split] + "-ppl", Split: split, Fields: []string{fieldNats}, Definition: "the perplexity: e to the mean of nats over all symbols and ends"}, wcpa,
			exchange.Metric{Unit: names[split] + "-wcpa20-%", Split: split, Fields: wcpa.Fields, Definition: fmt.Sprintf("like %s, over the distances with at least %d closing brackets", wcpa.Unit, frequent)})
	}
	set.Measure = func(p *exchange.Predictions, split string) ([]golden.Value, error) {
		sentences := NewSentences(lang, strings[split], evalStrings)
		s := &Scores{Paper: metric.NewLDPA(metric.Paper, lang.Max)}
		s.Loss, err = score(p, split, s.Paper, sentences.Set, func(i int) ([]question, error) { return sentences.closings(i, nil) })
		if err != nil {
			return nil, err
		}
		return s.values(names[split], "")
	}
	return set, nil
}

// sameEvent is by how much probabilities of the same event may differ that come from two computations in 32 bits.
const sameEvent = 1e-4

// score adds the closing brackets of all strings of a split to an LDPA, and returns the mean of the nats. It
// adds up the nats in the order in which an evaluation of our networks does: by batch, and in a batch by row. The
// function closings returns the questions of a batch of the set, in the order of its strings.
func score(p *exchange.Predictions, split string, to *metric.LDPA, set *batch.Set[uint8], closings func(i int) ([]question, error)) (float64, error) {
	var mean metric.CrossEntropy
	for b := range set.Len() {
		packed := set.Batch(b)
		list, err := closings(b)
		if err != nil {
			return 0, err
		}
		loss := slices.Repeat([]float32{-1}, packed.Rows) // negative where nothing is predicted
		for i, s := range packed.List {
			closers := p.Numbers(fieldClosers, split, int(s.String))
			nats := p.Numbers(fieldNats, split, int(s.String))
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
						s.String, split, j, have, fieldNats, closers[j], fieldClosers, relation)
				}
			}
			list = list[len(closers):]
		}
		mean.AddRows(slices.DeleteFunc(loss, func(x float32) bool { return x < 0 }))
	}
	return mean.Mean()
}
