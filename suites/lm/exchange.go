package lm

import (
	"fmt"
	"slices"

	"pushdown/corpora/text"
	"pushdown/harness/batch"
	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/metric"
	"pushdown/harness/train"
)

// fieldNats is the name of the field of predictions.
const fieldNats = "nats"

// parts are the parts whose strings have predictions: those of the first may have none.
var parts = []string{"valid", "test"}

// Continued is what a model of a text without breaks reads before a line.
const Continued = "and before it the lines before"

// ExchangeText returns the lines of a text, at most limit of each part if limit is not 0. Tokens are numbers, because the
// words of some texts must not be handed on. The parameter before says what a model reads before a line. The set has neither metrics nor a score.
func ExchangeText[T text.Token](t *text.Text[T], limit int, before string) *exchange.Set {
	set := &exchange.Set{Tokens: t.Len(), Fields: []exchange.Field{{Name: fieldNats, Values: exchange.Nats,
		Count: func(s *exchange.Split, i int) int { return len(s.Text(i)) + 1 },
		Definition: fmt.Sprintf("for each token of the line, and then for the end of the line, which is token %d, the negative natural logarithm of the probability that the model gives to it after the tokens before it; "+
			"before the first token of a line comes an end of a line, %s", text.End, before)}}}
	for _, p := range []struct {
		name string
		of   *text.Part[T]
	}{{"train", t.Train}, {parts[0], t.Valid}, {parts[1], t.Test}} {
		n := p.of.Len()
		if limit > 0 {
			n = min(n, limit)
		}
		set.Splits = append(set.Splits, exchange.Split{Name: p.name, Scored: p.name == parts[1], Optional: p.name == parts[0], Strings: n, Text: exchange.Text(p.of.Body)})
	}
	return set
}

// mean returns the mean of the nats of predictions over a set of a part. It adds them up in the order of
// an evaluation of our networks: by batch, and in a batch by row. A text is one long list of tokens, the lines with their ends one
// after the other, and start returns the place in it of the first token that a string of the set predicts. The function
// visit sees each batch.
func mean[T text.Token](p *exchange.Predictions, part string, strings int, set *batch.Set[T], start func(i int) int, visit func(*train.BatchOutput) error) (float64, error) {
	var nats []float32
	for i := range strings {
		for _, x := range p.Numbers(fieldNats, part, i) {
			nats = append(nats, float32(x))
		}
	}
	var mean metric.CrossEntropy
	for b := range set.Len() {
		packed := set.Batch(b)
		loss := make([]float32, packed.Rows)
		for i, s := range packed.List {
			for t := range int(s.Len) {
				loss[packed.Row(t, i)] = nats[start(int(s.String))+t]
			}
		}
		if visit != nil {
			if err := visit(&train.BatchOutput{Batch: &train.Batch{Active: packed.Active}, Loss: loss}); err != nil {
				return 0, err
			}
		}
		mean.AddRows(loss)
	}
	return mean.Mean()
}

// metrics returns the metrics of a part of a row whose tokens are words or characters. The parameter over says over which tokens their
// mean is.
func metrics(part string, characters bool, over string) []exchange.Metric {
	fields, first := []string{fieldNats}, part+"-ce"
	second := exchange.Metric{Unit: part + "-ppl", Split: part, Fields: fields, Definition: "the perplexity: e to the power of " + first}
	if characters {
		second = exchange.Metric{Unit: part + "-bpc", Split: part, Fields: fields, Definition: "bits per character: " + first + " divided by the natural logarithm of 2"}
	}
	return []exchange.Metric{{Unit: first, Split: part, Fields: fields, Definition: "the mean of nats over " + over}, second}
}

// ExchangeColumns completes a set of [ExchangeText] for a row that reads a text in columns.
func ExchangeColumns[T text.Token](set *exchange.Set, t *text.Text[T], limit, columns, steps int, characters bool) {
	for _, name := range parts {
		of, _ := columnsOf(partOf(t, name), limit, columns, steps)
		over := "all tokens and ends of lines"
		if n := len(of.List); limit > 0 || int(of.List[n-1].Len) < steps || columns > 1 {
			total := 0
			for _, s := range of.List {
				total += int(s.Len)
			}
			over = fmt.Sprintf("the first %d tokens and ends of lines, which fill %d columns of equal length", total, columns)
			if columns == 1 {
				over = fmt.Sprintf("the first %d tokens and ends of lines", total)
			}
		}
		set.Metrics = append(set.Metrics, metrics(name, characters, over)...)
	}
	set.Measure = func(q *exchange.Predictions, name string) ([]golden.Value, error) {
		p := partOf(t, name)
		of, start := columnsOf(p, limit, columns, steps)
		loss, err := mean(q, name, p.Len(), of.Set(columns), start, nil)
		return scores(name, loss, characters), err
	}
}

// partOf returns one of parts.
func partOf[T text.Token](t *text.Text[T], name string) *text.Part[T] {
	if name == parts[0] {
		return t.Valid
	}
	return t.Test
}

// scores returns the values of the metrics of a part.
func scores(part string, loss float64, characters bool) []golden.Value {
	if characters {
		return []golden.Value{{Unit: part + "-ce", Value: loss}, {Unit: part + "-bpc", Value: metric.BitsPerCharacter(loss)}}
	}
	return []golden.Value{{Unit: part + "-ce", Value: loss}, {Unit: part + "-ppl", Value: metric.Perplexity(loss)}}
}

// Exchange returns the strings of the row.
func (e Sentences) Exchange() (*exchange.Set, error) {
	if e.Characters {
		t, err := Characters(e.Corpus)
		if err != nil {
			return nil, err
		}
		return exchangeSentences(e, t), nil
	}
	t, err := Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	return exchangeSentences(e, t), nil
}

func exchangeSentences[T text.Token](e Sentences, t *text.Text[T]) *exchange.Set {
	if e.Steps != 0 {
		set := ExchangeText(t, 0, Continued)
		ExchangeColumns(set, t, e.Limit, e.Batch, e.Steps, e.Characters)
		return set
	}
	set := ExchangeText(t, e.Limit, "and nothing before it")
	if train := &set.Splits[0]; e.Cut > 0 {
		train.About = fmt.Sprintf("lines of more than %d characters are cut, and end without an end of the line", e.Cut)
		train.Text = exchange.Text(func(i int) []T { line := t.Train.Body(i); return line[:min(e.Cut, len(line))] })
	}
	over, ends := "all tokens and ends of lines", 1
	if e.NoEnds {
		over, ends = "all tokens but the first of each line", -1
		set.Fields[0].Count = func(s *exchange.Split, i int) int { return max(0, len(s.Text(i))-1) }
		set.Fields[0].Definition = "for each token of the line but the first, the negative natural logarithm of the probability that the model gives to it after the tokens of the line before it"
	}
	for _, name := range parts {
		set.Metrics = append(set.Metrics, metrics(name, e.Characters, over)...)
	}
	set.Metrics = append(set.Metrics, exchange.Metric{Unit: byStepUnit, Split: parts[1], Fields: []string{fieldNats},
		Definition: fmt.Sprintf("another mean of nats: at each step over the lines of a batch of %d that have not ended, then over the steps, then over the batches; batches are in the order of the lines", evalSentences)})
	set.Measure = func(q *exchange.Predictions, name string) ([]golden.Value, error) {
		p := partOf(t, name)
		strings := set.Splits[slices.IndexFunc(set.Splits, func(s exchange.Split) bool { return s.Name == name })].Strings
		var steps byStep
		begin := []int{0}
		for i := range strings {
			begin = append(begin, begin[i]+max(0, len(p.Body(i))+ends))
		}
		loss, err := mean(q, name, strings, dataset(e, p, 0).Set(evalSentences), func(i int) int { return begin[i] }, steps.add)
		values := scores(name, loss, e.Characters)
		if name == parts[1] {
			values = append(values, golden.Value{Unit: byStepUnit, Value: steps.mean()})
		}
		return values, err
	}
	return set
}
