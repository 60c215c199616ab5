package syneval

import (
	"strings"

	"pushdown/corpora/text"
	"pushdown/harness/batch"
	"pushdown/harness/kernel"
	"pushdown/harness/train"
	"pushdown/models"
)

// Scorer scores sentences by a language model. A sentence is read from the model's initial
// state: <eos>, then its words. The model predicts its words and a full stop.
type Scorer struct {
	Vocabulary *text.Vocabulary
	Model      *models.Model
	Params     *train.Params
}

// stop ends every sentence.
const stop = "."

// tokens returns <eos>, the words of a sentence and the full stop. Words that the vocabulary
// lacks become <unk>.
func (s Scorer) tokens(sentence string) []int32 {
	unk, _ := s.Vocabulary.Token("<unk>")
	list := []int32{text.End}
	for _, w := range append(strings.Fields(sentence), stop) {
		id, ok := s.Vocabulary.Token(w)
		if !ok {
			id = unk
		}
		list = append(list, int32(id))
	}
	return list
}

// Known reports whether the vocabulary has all words of a sentence.
func (s Scorer) Known(sentence string) bool {
	for _, w := range strings.Fields(sentence) {
		if _, ok := s.Vocabulary.Token(w); !ok {
			return false
		}
	}
	return true
}

// atATime is the number of sentences in a batch.
const atATime = 64

// Losses returns, for each sentence, the losses of its words and of the full stop in nats, the
// negative logarithms of their probabilities. They do not depend on the other sentences.
// Losses returns nil if there are no sentences.
func (s Scorer) Losses(dev kernel.Device, sentences []string) ([][]float32, error) {
	if len(sentences) == 0 {
		return nil, nil
	}
	var list [][]int32
	d := batch.Dataset[int32]{Text: func(i int) []int32 { return list[i] }, Fill: batch.PredictNext[int32]}
	for i, x := range sentences {
		tokens := s.tokens(x)
		list = append(list, tokens)
		d.List = append(d.List, batch.Prefix{String: int32(i), Len: int32(len(tokens) - 1)})
	}
	set := d.Set(atATime)
	all := make([][]float32, len(sentences))
	_, err := train.Evaluate(s.Model.Build, dev, set, 1, s.Params, func(o *train.Outcome) error {
		p := set.Batch(o.Index)
		for i, x := range p.List {
			losses := make([]float32, x.Len)
			for t := range losses {
				losses[t] = o.Loss[p.Row(t, i)]
			}
			all[x.String] = losses
		}
		return nil
	})
	return all, err
}

// Sums returns, for each sentence, the sum of its losses: the negative logarithm of its
// probability. Sentences that occur several times are scored once.
func (s Scorer) Sums(dev kernel.Device, sentences []string) (map[string]float64, error) {
	sums := map[string]float64{}
	var list []string
	for _, x := range sentences {
		if _, seen := sums[x]; !seen {
			sums[x] = 0
			list = append(list, x)
		}
	}
	all, err := s.Losses(dev, list)
	for i, losses := range all {
		sum := 0.0
		for _, x := range losses {
			sum += float64(x)
		}
		sums[list[i]] = sum
	}
	return sums, err
}

// An Accuracy counts the pairs of a category, and those of them that are right: the better
// sentence has the higher probability. A tie counts as wrong.
type Accuracy struct{ Right, Pairs int }

// Percent returns the share of right pairs in per cent. It is NaN if Pairs is 0.
func (a Accuracy) Percent() float64 { return 100 * float64(a.Right) / float64(a.Pairs) }

// count returns the accuracy over all pairs of a category, and over the known ones, whose words
// are all in the vocabulary.
func (s Scorer) count(c Category, list []Item, sums map[string]float64) (all, known Accuracy) {
	for _, x := range list {
		if !c.of(x) {
			continue
		}
		better, worse := c.sentences(x)
		right := 0
		if sums[better] < sums[worse] {
			right = 1
		}
		all = Accuracy{all.Right + right, all.Pairs + 1}
		if s.Known(better) && s.Known(worse) {
			known = Accuracy{known.Right + right, known.Pairs + 1}
		}
	}
	return all, known
}
