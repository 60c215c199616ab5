package patterns

import (
	"fmt"
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/train"
)

// fieldSymbols is the name of the field of predictions.
const fieldSymbols = "symbols"

// exchanged bounds the number of training strings that are handed on.
const exchanged = 200_000

// Exchange returns the strings of the row. Training strings are those of all epochs, one epoch after the other, or of the first if
// there are more than exchanged.
func (e Experiment) Exchange() (*exchange.Set, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	test, err := NewTest(e.Task, testSeed, shortest, e.Longest, e.PerLength)
	if err != nil {
		return nil, err
	}
	training, err := e.training()
	if err != nil {
		return nil, err
	}
	epochs := min(e.Epochs, max(1, exchanged/e.Epoch))
	about := fmt.Sprintf("%d epochs of %d strings, one after the other, in the order in which they are read; the greatest n is %d in the first epoch and %d in the last; our networks predict each symbol but the first of an epoch, and keep their state from string to string, for reset_every strings of the settings if that is not 0", epochs, e.Epoch, e.Lengths(0).Max, e.Lengths(epochs-1).Max)
	if epochs < e.Epochs {
		about += fmt.Sprintf("; a run has up to %d epochs, whose other strings have n as in the last", e.Epochs)
	}
	lengths := e.validation()
	valid := &Stream{Task: e.Task, Seed: e.Corpus, Split: formal.Dev, Per: e.Valid, Lengths: func(int) formal.Range { return lengths }}
	of := testStream(e.Task, testSeed, test.lo, e.PerLength)
	fields := []string{fieldSymbols}
	set := &exchange.Set{
		Splits: []exchange.Split{
			{Name: string(formal.Train), Strings: epochs * e.Epoch, Text: exchange.Text(training.text), About: about},
			{Name: string(formal.Dev), Strings: e.Valid, Text: exchange.Text(valid.text)},
			{Name: string(formal.Test), Strings: (test.hi - test.lo + 1) * test.per, Scored: true, Text: exchange.Text(of.text)},
		},
		Fields: []exchange.Field{{Name: fieldSymbols, Values: exchange.AnyTokens, Count: func(s *exchange.Split, i int) int { return len(s.Text(i)) },
			Definition: "for each symbol of the string, the symbol to which the model gave the highest probability before it was read; the model keeps its state from one string to the next" + e.resets() + "; it counts where the symbols before it determine a symbol"}},
		Metrics: []exchange.Metric{
			{Unit: "test-lengths-%", Split: string(formal.Test), Fields: fields, Definition: "the share of the lengths at which all strings but the last are right, in per cent" + e.counted()},
			{Unit: "test-lengths-1to60-%", Split: string(formal.Test), Fields: fields, Definition: fmt.Sprintf("the share of the lengths from 1 to %d at which all strings but the last are right, in per cent", e.Longest)},
			{Unit: "test-strings-60-%", Split: string(formal.Test), Fields: fields, Definition: fmt.Sprintf("the share of the strings of length %d that are right, in per cent", e.Longest)},
			{Unit: "test-strings-long-%", Split: string(formal.Test), Fields: fields, Definition: fmt.Sprintf("the share of the strings of lengths 21 to %d that are right, in per cent, mean over the lengths", e.Longest-1)},
			{Unit: "generalises-%", Split: string(formal.Test), Fields: fields, Definition: "100 if test-lengths-% is above a third, else 0"},
			{Unit: "perfect-%", Split: string(formal.Test), Fields: fields, Definition: "100 if test-lengths-% is 100, else 0"},
		},
	}
	for t := range e.Task.Vocabulary() {
		set.Alphabet = append(set.Alphabet, e.Task.Token(uint8(t)))
	}
	set.Measure = func(p *exchange.Predictions, _ string) ([]golden.Value, error) {
		var right []bool
		var s train.StreamString
		for i := range (test.hi - test.lo + 1) * test.per {
			s.Reset()
			of.Fill(i, &s)
			symbols := p.Tokens(fieldSymbols, string(formal.Test), i)
			symbols = symbols[len(symbols)-len(s.Target):] // the first symbol of all is not predicted
			for j, target := range s.Target {
				if target >= 0 {
					right = append(right, int32(symbols[j]) == target)
				}
			}
		}
		return e.lengthValues(test.count(right)), nil
	}
	return set, nil
}

// text returns the symbols of string i.
func (s *Stream) text(i int) []uint8 { return slices.Clone(s.draw(i).Tokens) }

// resets says when a state is reset in the test.
func (e Experiment) resets() string {
	if e.Task == formal.Addition {
		return ", but starts anew after every ten strings"
	}
	return ""
}

// counted says which lengths the paper counts.
func (e Experiment) counted() string {
	if e.Task.Counts() {
		return fmt.Sprintf(": of those from 2 to %d, and two that always count as right", e.Longest-1)
	}
	return ""
}
