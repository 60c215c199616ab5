package syneval

import (
	"fmt"
	"slices"
	"strings"

	"pushdown/corpora/text"
	"pushdown/harness/batch"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
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
// lacks become <unk>. It is an error if the vocabulary lacks <unk>, too.
func (s Scorer) tokens(sentence string) ([]int32, error) {
	const unknown = "<unk>"
	list := []int32{text.End}
	for _, w := range append(strings.Fields(sentence), stop) {
		id, ok := s.Vocabulary.Token(w)
		if !ok {
			if id, ok = s.Vocabulary.Token(unknown); !ok {
				return nil, fmt.Errorf("syneval: sentence %q: the vocabulary has neither %q nor %s, want one of them", sentence, w, unknown)
			}
		}
		list = append(list, int32(id))
	}
	return list, nil
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
const atATime = 512

// Losses returns a list for each sentence: the loss of each word, and of the full stop, in nats.
// The loss is the negative logarithm of the probability. It does not depend on the other
// sentences. Losses returns nil if there are no sentences.
//
// Many sentences of the test set begin with the same words. Losses sorts the sentences, and
// computes a loss that they share only once. For the test set that is a quarter of all losses.
func (s Scorer) Losses(dev kernel.Device, sentences []string) ([][]float32, error) {
	if len(sentences) == 0 {
		return nil, nil
	}
	list := make([]scoredSentence, len(sentences))
	for i, x := range sentences {
		tokens, err := s.tokens(x)
		if err != nil {
			return nil, err
		}
		list[i] = scoredSentence{place: i, tokens: tokens}
		list[i].losses = make([]float32, len(list[i].tokens)-1)
	}
	slices.SortStableFunc(list, func(a, b scoredSentence) int { return slices.Compare(a.tokens, b.tokens) })
	for i := range list[1:] {
		list[i+1].shared = sharedLosses(list[i].tokens, list[i+1].tokens)
	}
	d := batch.Dataset[int32]{
		Text:     func(i int) []int32 { return list[i].tokens },
		Examples: func(x batch.Prefix) int { return int(x.Len) - list[x.String].shared },
		Fill: func(p *batch.Packed[int32], b *train.Batch) {
			eachNew(p, list, func(t, i int) {
				b.ExampleRows, b.Target = append(b.ExampleRows, int32(p.Row(t, i))), append(b.Target, list[p.List[i].String].tokens[t+1])
			})
		},
	}
	for i, x := range list {
		d.List = append(d.List, batch.Prefix{String: int32(i), Len: int32(len(x.losses))})
	}
	set := d.Set(atATime)
	_, err := train.Evaluate(s.Model.Build, dev, set, 1, s.Params, func(o *train.BatchOutput) error {
		p, n := set.Batch(o.Index), 0
		eachNew(p, list, func(t, i int) {
			list[p.List[i].String].losses[t] = o.Loss[n]
			n++
		})
		return nil
	})
	all := make([][]float32, len(sentences))
	for i, x := range list {
		if i > 0 {
			copy(x.losses[:x.shared], list[i-1].losses)
		}
		all[x.place] = x.losses
	}
	return all, err
}

// scoredSentence is a sentence in the order of its tokens.
type scoredSentence struct {
	place  int     // in the list of sentences
	tokens []int32 // <eos>, the words and the full stop
	losses []float32
	shared int // the first losses are those of the sentence before it in the order
}

// sharedLosses returns the number of losses that two sentences share: those of the tokens after
// <eos> and before the first one that differs.
func sharedLosses(a, b []int32) (n int) {
	for n+1 < min(len(a), len(b)) && a[n+1] == b[n+1] {
		n++
	}
	return n
}

// eachNew calls f for each prediction of a batch that is not among those of the sentence before
// its own: the one after step t of the i-th string.
func eachNew(p *batch.Packed[int32], list []scoredSentence, f func(t, i int)) {
	for t, n := range p.Active {
		for i, x := range p.List[:n] {
			if t >= list[x.String].shared {
				f(t, i)
			}
		}
	}
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

// count returns the accuracy over all pairs of a category, and over the known ones, whose words
// are all in the vocabulary. A pair is right if the better sentence has the higher probability; a tie counts as wrong.
func (s Scorer) count(c Category, list []Item, sums map[string]float64) (all, known metric.Accuracy) {
	for _, x := range list {
		if !c.of(x) {
			continue
		}
		better, worse := c.sentences(x)
		right := sums[better] < sums[worse]
		all.Add(right)
		if s.Known(better) && s.Known(worse) {
			known.Add(right)
		}
	}
	return all, known
}
