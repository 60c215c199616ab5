package syneval

import (
	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/suites/lm"
)

// A comparison is the part of a row of table 3 that models made elsewhere can repeat: the pairs of
// sentences of a category.
type comparison struct {
	Place    suite.RowID `json:"place"`
	Corpus   string      `json:"corpus"` // whose vocabulary numbers the words
	Category Category    `json:"category"`
	Small    bool        `json:"small"` // the sample in place of the test set
}

// ID says where the paper publishes the row.
func (c comparison) ID() suite.RowID { return c.Place }

// fieldNats is the name of the field of predictions.
const fieldNats = "nats"

// Exchange returns the sentences of the row: of each pair first the better one. They have only words that the
// test set publishes. A second file has the numbers of these words in the vocabulary of the corpus.
func (c comparison) Exchange() (*exchange.Set, error) {
	list, err := items(c.Small)
	if err != nil {
		return nil, err
	}
	t, err := lm.Words(c.Corpus)
	if err != nil {
		return nil, err
	}
	s := Scorer{Vocabulary: t.Vocabulary}
	var sentences []string
	var chosen []Item
	var numbers [][]int32
	for _, x := range list {
		if !c.Category.of(x) {
			continue
		}
		chosen = append(chosen, x)
		better, worse := c.Category.sentences(x)
		for _, sentence := range []string{better, worse} {
			tokens, err := s.tokens(sentence)
			if err != nil {
				return nil, err
			}
			sentences, numbers = append(sentences, sentence), append(numbers, tokens[1:])
		}
	}
	fields := []string{fieldNats}
	set := &exchange.Set{
		Tokens: t.Len(),
		Splits: []exchange.Split{{Name: "test", Scored: true, Strings: len(sentences), Text: func(i int) []int32 { return numbers[i] }, More: []exchange.Lines{
			{Name: "words.txt", Line: func(dst []byte, i int) []byte { return append(dst, sentences[i]...) }},
		}}},
		Fields: []exchange.Field{{Name: fieldNats, Values: exchange.Nats, Count: func(*exchange.Split, int) int { return 1 },
			Definition: "one number, the negative natural logarithm of the probability of the words of words.txt and a full stop, after an end of a sentence; " +
				"main.tok has their numbers in the vocabulary of " + c.Corpus + ", with that of <unk> for other words"}},
		Metrics: []exchange.Metric{
			{Unit: "test-pair-acc-%", Split: "test", Fields: fields, Definition: "the share of the pairs whose first sentence has the smaller nats, in per cent; pairs are strings 0 and 1, 2 and 3, and so on"},
			{Unit: "test-pair-acc-known-%", Split: "test", Fields: fields, Definition: "the same over the pairs whose words are all in that vocabulary"},
		},
	}
	set.Measure = func(p *exchange.Predictions, _ string) ([]golden.Value, error) {
		var all, known metric.Accuracy
		for i, x := range chosen {
			better, worse := c.Category.sentences(x)
			sums := map[string]float64{better: p.Numbers(fieldNats, "test", 2*i)[0], worse: p.Numbers(fieldNats, "test", 2*i+1)[0]}
			one, two := s.count(c.Category, []Item{x}, sums)
			for _, sum := range []struct{ to, of *metric.Accuracy }{{&all, &one}, {&known, &two}} {
				sum.to.Correct, sum.to.Cases = sum.to.Correct+sum.of.Correct, sum.to.Cases+sum.of.Cases
			}
		}
		values := []golden.Value{{Unit: "test-pair-acc-%", Value: all.Percent()}}
		if known.Cases > 0 {
			values = append(values, golden.Value{Unit: "test-pair-acc-known-%", Value: known.Percent()})
		}
		return values, nil
	}
	return set, nil
}
