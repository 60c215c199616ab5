package dyck

import (
	"fmt"
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/batch"
	"pushdown/harness/train"
)

// Data specifies the strings that an experiment reads.
type Data struct {
	M int `json:"m"`
	K int `json:"k"`
	// Bounds of the lengths, as in formal.BoundedDyck. If both are zero, the defaults
	// of formal.NewBoundedDyck apply.
	Min int `json:"min"`
	Max int `json:"max"`
	// Numbers of strings.
	Train      int    `json:"train"`
	Dev        int    `json:"dev"`
	Test       int    `json:"test"`
	CorpusSeed uint64 `json:"corpus_seed"` // belongs to the experiment: all seeds see the same strings
}

// published specifies the strings of depth m at most. We take the strings of the papers
// resurgence and second-order-lstm to be the same, because their numbers agree: the splits
// of the latter add up to 24,000 strings, the number that the former states.
func published(m int) Data {
	return Data{M: m, K: 2, Train: 10_000, Dev: 4_000, Test: 10_000, CorpusSeed: uint64(m)}
}

// Language returns the language of the strings.
func (d Data) Language() (formal.BoundedDyck, error) {
	lang := formal.NewBoundedDyck(d.K, d.M)
	if d.Min != 0 || d.Max != 0 {
		lang.Min, lang.Max = d.Min, d.Max
	}
	return lang, lang.Validate()
}

// Sample draws the strings of a split. It also returns their language.
func (d Data) Sample(split formal.Split) (formal.BoundedDyck, *formal.Corpus, error) {
	lang, err := d.Language()
	if err != nil {
		return lang, nil, err
	}
	n := map[formal.Split]int{formal.Train: d.Train, formal.Dev: d.Dev, formal.Test: d.Test}[split]
	corpus, err := lang.Sample(d.CorpusSeed, split, n)
	return lang, corpus, err
}

// NewPrefixes returns a source whose examples are pairs of a prefix and the closing
// bracket that follows it. All such pairs in the corpus are in a list, in an order that
// the run's seed determines, and the batches are consecutive parts of this list. size
// is the number of examples in a batch.
func NewPrefixes(lang formal.BoundedDyck, corpus *formal.Corpus, size int, seed uint64) (*batch.Source[uint8], error) {
	var list []batch.Prefix
	for i := range corpus.Len() {
		for at, token := range corpus.Body(i) {
			if int(token) >= lang.K {
				list = append(list, batch.Prefix{String: int32(i), Len: int32(at)})
			}
		}
	}
	s, err := batch.Dataset[uint8]{
		Text: corpus.Body, List: list,
		Examples: func(batch.Prefix) int { return 1 },
		Fill: func(p *batch.Packed[uint8], b *train.Batch) {
			for i, x := range p.Text { // the last row of x predicts the bracket after x
				b.ExampleRows = append(b.ExampleRows, int32(p.Row(len(x)-1, i)))
				b.Target = append(b.Target, int32(x[:len(x)+1][len(x)])-int32(lang.K))
			}
		},
	}.Shuffled(size, seed)
	if err != nil {
		return nil, fmt.Errorf("dyck: prefixes: %w", err)
	}
	return s, nil
}

// Strings is a set of whole strings whose closing brackets are the examples. Each string is read
// once, and the model predicts each closing bracket after the token before it. The examples are
// those of [NewPrefixes], but they take a fraction of the time, because a prefix of a string is
// not read again for each of them.
type Strings struct {
	*batch.Set[uint8]
	lang formal.BoundedDyck
}

// NewStrings cuts a corpus into batches. size is the number of strings in a batch.
func NewStrings(lang formal.BoundedDyck, corpus *formal.Corpus, size int) *Strings {
	return &Strings{brackets(lang, corpus).Set(size), lang}
}

// NewShuffled returns a source of the strings of a corpus, in random order. Each
// closing bracket is an example, as in [Strings]. size is the approximate number of
// examples in a batch. random must be set if the network has dropout: the batches then
// have what dropout needs to draw random numbers.
func NewShuffled(lang formal.BoundedDyck, corpus *formal.Corpus, size int, random bool, seed uint64) (*batch.Source[uint8], error) {
	data := brackets(lang, corpus)
	if random {
		data = data.Random()
	}
	s, err := data.ByExamples(size, seed)
	if err != nil {
		return nil, fmt.Errorf("dyck: closing brackets: %w", err)
	}
	return s, nil
}

// brackets returns a dataset of whole strings in which a network predicts each closing bracket
// after the token before it. A batch has one row for each token of its strings. Examples are in
// the order of the rows: by step, and within a step by string. The last row of a string predicts
// nothing.
func brackets(lang formal.BoundedDyck, corpus *formal.Corpus) batch.Dataset[uint8] {
	return batch.Dataset[uint8]{
		Text: corpus.Body, List: batch.Whole(corpus.Len(), corpus.Body),
		Examples: func(s batch.Prefix) int { return int(s.Len) / 2 },
		Fill: func(p *batch.Packed[uint8], b *train.Batch) {
			b.ExampleRows, b.Target = slices.Grow(b.ExampleRows, p.Rows)[:p.Rows], slices.Grow(b.Target, p.Rows)[:p.Rows]
			found := 0
			for t, n := range p.Active[1:] {
				first := int32(p.Row(t, 0))
				for i, token := range b.Token[p.Row(t+1, 0):][:n] {
					b.ExampleRows[found], b.Target[found] = first+int32(i), token-int32(lang.K)
					if int(token) >= lang.K {
						found++
					}
				}
			}
			b.ExampleRows, b.Target = b.ExampleRows[:found], b.Target[:found]
		},
	}
}

// Distances appends to dst the distances of the examples of batch i, in order.
func (s *Strings) Distances(i int, dst []int) ([]int, error) {
	p := s.Batch(i)
	list, err := questions(p, nil, s.lang.Closings, 0, -1)
	if err != nil {
		return nil, err
	}
	distance := make([]int, p.Rows) // 0: no example
	for _, q := range list {
		distance[q.row] = q.distance
	}
	return append(dst, slices.DeleteFunc(distance, func(d int) bool { return d == 0 })...), nil
}

// question is a prediction of a closing bracket.
type question struct {
	row      int // of the batch
	distance int // to the opening bracket
	kind     int // type of the right bracket
}

// questions appends to dst one question for each Closing that the function find returns for
// a string of the batch. The parameter start is 1 if the strings begin with START, else 0.
// The question is asked at the step whose number is the field At of the Closing plus the
// parameter later.
func questions(p *batch.Packed[uint8], dst []question, find func([]formal.Closing, []uint8) ([]formal.Closing, error), start, later int) ([]question, error) {
	var found []formal.Closing
	for i, text := range p.Text {
		body := text[start:]
		var err error
		if found, err = find(found[:0], body); err != nil {
			return nil, fmt.Errorf("dyck: string %d: %w", p.List[i].String, err)
		}
		for _, c := range found {
			dst = append(dst, question{p.Row(int(c.At)+later, i), c.Distance(), int(body[c.Open])})
		}
	}
	return dst, nil
}

// Sentences is a set of whole strings for a language model, with fixed batches in a fixed order.
// For the brackets b1 .. bn, the model reads START b1 .. bn and predicts b1 .. bn END, one symbol
// at each step.
type Sentences struct {
	*batch.Set[uint8]
	lang formal.BoundedDyck
}

// NewSentences cuts a corpus into batches. size is the number of strings in each batch but
// the last, which has the remaining strings.
func NewSentences(lang formal.BoundedDyck, corpus *formal.Corpus, size int) *Sentences {
	return &Sentences{sentences(corpus).Set(size), lang}
}

// NewShuffledSentences returns a source of the strings of a corpus. size is the number
// of strings in a batch. Each epoch has a new order, which the run's seed determines.
// random must be set if the model has dropout, as in [NewShuffled].
func NewShuffledSentences(corpus *formal.Corpus, size int, random bool, seed uint64) (*batch.Source[uint8], error) {
	data := sentences(corpus)
	if random {
		data = data.Random()
	}
	s, err := data.Shuffled(size, seed)
	if err != nil {
		return nil, fmt.Errorf("dyck: sentences: %w", err)
	}
	return s, nil
}

func sentences(corpus *formal.Corpus) batch.Dataset[uint8] {
	return batch.Dataset[uint8]{Text: corpus.String, List: batch.Whole(corpus.Len(), corpus.Input), Fill: batch.PredictNext[uint8]}
}

// closings appends to dst one question for each closing bracket of batch i. The bracket is
// predicted at the step that reads the token before it. The number of this step equals the
// bracket's index in the string without START, because START comes first.
func (s *Sentences) closings(i int, dst []question) ([]question, error) {
	return questions(s.Batch(i), dst, s.lang.Closings, 1, 0)
}

// pending appends to dst one question for each prefix in batch i that leaves a bracket
// open, whether or not a closing bracket follows. The public code of the language asks
// these questions. The closing bracket is predicted at the row that reads the last token of
// the prefix.
func (s *Sentences) pending(i int, dst []question) ([]question, error) {
	return questions(s.Batch(i), dst, s.lang.Pending, 1, 1)
}
