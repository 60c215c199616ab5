package dyck

import (
	"fmt"
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/rng"
	"pushdown/harness/train"
)

// Sentences gives whole strings to a language model, the same batches in the
// same order: START b1 .. bn is read, b1 .. bn END predicted, at every row.
type Sentences struct {
	lang   formal.BoundedDyck
	corpus *formal.Corpus
	size   int
	bounds train.Bounds

	list   []int32
	text   [][]uint8 // of the present batch
	offset []int     // first row of each step
}

// NewSentences cuts a corpus into batches of size strings; the last one has what
// is left.
func NewSentences(lang formal.BoundedDyck, corpus *formal.Corpus, size int) *Sentences {
	s := &Sentences{lang: lang, corpus: corpus, size: size}
	for i := range s.Len() {
		rows := 0
		for _, j := range s.batch(i) {
			n := len(corpus.Input(int(j)))
			rows += n
			s.bounds.Steps = max(s.bounds.Steps, n)
		}
		s.bounds.Rows = max(s.bounds.Rows, rows)
	}
	s.bounds.Strings, s.bounds.Examples = min(size, corpus.Len()), s.bounds.Rows
	return s
}

// Len is the number of batches.
func (s *Sentences) Len() int { return (s.corpus.Len() + s.size - 1) / s.size }

// Bounds is the largest batch.
func (s *Sentences) Bounds() train.Bounds { return s.bounds }

// batch returns the strings of batch i, longest first, ties by index. It is
// overwritten by the next one.
func (s *Sentences) batch(i int) []int32 {
	s.list = s.list[:0]
	for j := i * s.size; j < min((i+1)*s.size, s.corpus.Len()); j++ {
		s.list = append(s.list, int32(j))
	}
	s.sort()
	return s.list
}

// sort puts the longest string of the list first, ties by their place in it.
func (s *Sentences) sort() {
	slices.SortStableFunc(s.list, func(a, b int32) int { return len(s.corpus.Input(int(b))) - len(s.corpus.Input(int(a))) })
}

// Fill makes b batch i.
func (s *Sentences) Fill(i int, b *train.Batch) {
	s.batch(i)
	s.fill(b)
}

// fill makes b the batch of the strings in the list.
func (s *Sentences) fill(b *train.Batch) {
	s.text = s.text[:0]
	for _, j := range s.list {
		s.text = append(s.text, s.corpus.Input(int(j)))
	}
	b.Active = going(b.Active, s.text)
	var rows int
	s.offset, rows = place(s.offset[:0], b.Active)
	b.Token, b.Pick, b.Target = grow(b.Token, rows), grow(b.Pick, rows), grow(b.Target, rows)
	pack(b.Token, s.text, s.offset)
	for i, j := range s.list {
		s.text[i] = s.corpus.Target(int(j))
	}
	pack(b.Target, s.text, s.offset)
	for i := range b.Pick {
		b.Pick[i] = int32(i)
	}
}

// question is a closing bracket that a language model is asked for.
type question struct {
	row      int // of the batch, and example: all rows are predicted from
	distance int // to the opening bracket
	kind     int // type of the right one
}

// closings appends the closing brackets of batch i: each is predicted at the row
// that reads what stands before it.
func (s *Sentences) closings(i int, dst []question) ([]question, error) {
	return s.questions(i, dst, formal.BoundedDyck.Closings, 0)
}

// pending appends the places of batch i where a bracket is open, whether or not
// a closing bracket follows: where the public code asks.
func (s *Sentences) pending(i int, dst []question) ([]question, error) {
	return s.questions(i, dst, formal.BoundedDyck.Pending, 1)
}

// questions asks at the row of a position of the brackets, or some rows later.
func (s *Sentences) questions(i int, dst []question, find func(formal.BoundedDyck, []formal.Closing, []uint8) ([]formal.Closing, error), later int) ([]question, error) {
	list := s.batch(i)
	var offset []int
	n, rows := len(list), 0
	for t := range s.corpus.Input(int(list[0])) {
		for len(s.corpus.Input(int(list[n-1]))) <= t {
			n--
		}
		offset, rows = append(offset, rows), rows+n
	}
	var found []formal.Closing
	for b, j := range list {
		body := s.corpus.Body(int(j))
		var err error
		if found, err = find(s.lang, found[:0], body); err != nil {
			return nil, fmt.Errorf("dyck: string %d: %w", j, err)
		}
		for _, c := range found {
			dst = append(dst, question{offset[int(c.At)+later] + b, c.Distance(), int(body[c.Open])})
		}
	}
	return dst, nil
}

// ShuffledSentences gives the strings of a corpus in a new order for each epoch.
// What does not fill a batch at the end of an epoch is left out of it.
type ShuffledSentences struct {
	sentences *Sentences
	order     rng.Stream
	epoch     int // of perm; -1 before the first
	perm      []int32
}

// NewShuffledSentences makes batches of size strings, whose order follows from
// the run's seed.
func NewShuffledSentences(lang formal.BoundedDyck, corpus *formal.Corpus, size int, seed uint64) (*ShuffledSentences, error) {
	if corpus.Len() < size {
		return nil, fmt.Errorf("dyck: the corpus has %d strings, want at least %d, a batch", corpus.Len(), size)
	}
	return &ShuffledSentences{
		sentences: &Sentences{lang: lang, corpus: corpus, size: size},
		order:     rng.New(seed, "order"), epoch: -1, perm: make([]int32, corpus.Len()),
	}, nil
}

// PerEpoch is the number of whole batches.
func (s *ShuffledSentences) PerEpoch() int { return s.sentences.corpus.Len() / s.sentences.size }

// Bounds allows for a batch of the longest strings.
func (s *ShuffledSentences) Bounds() train.Bounds {
	longest := 0
	for i := range s.sentences.corpus.Len() {
		longest = max(longest, len(s.sentences.corpus.Input(i)))
	}
	rows := s.sentences.size * longest
	return train.Bounds{Strings: s.sentences.size, Rows: rows, Steps: longest, Examples: rows}
}

// Fill makes b the batch of an update.
func (s *ShuffledSentences) Fill(update int, b *train.Batch) {
	if epoch := update / s.PerEpoch(); epoch != s.epoch {
		s.order.Perm(s.perm, uint32(epoch))
		s.epoch = epoch
	}
	at := update % s.PerEpoch() * s.sentences.size
	s.sentences.list = append(s.sentences.list[:0], s.perm[at:at+s.sentences.size]...)
	s.sentences.sort()
	s.sentences.fill(b)
}
