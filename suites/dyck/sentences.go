package dyck

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/batch"
)

// Sentences gives whole strings to a language model, the same batches in the
// same order: START b1 .. bn is read, b1 .. bn END predicted, at every row.
type Sentences struct {
	*batch.Set[uint8]
	lang formal.BoundedDyck
}

// NewSentences cuts a corpus into batches of size strings; the last one has what
// is left.
func NewSentences(lang formal.BoundedDyck, corpus *formal.Corpus, size int) *Sentences {
	return &Sentences{sentences(corpus).Set(size), lang}
}

// NewShuffledSentences makes batches of size strings in a new order for each epoch,
// which follows from the run's seed.
func NewShuffledSentences(corpus *formal.Corpus, size int, seed uint64) (*batch.Source[uint8], error) {
	s, err := sentences(corpus).Shuffled(size, seed)
	if err != nil {
		return nil, fmt.Errorf("dyck: sentences: %w", err)
	}
	return s, nil
}

func sentences(corpus *formal.Corpus) batch.Dataset[uint8] {
	return batch.Dataset[uint8]{Text: corpus.String, List: batch.Whole(corpus.Len(), corpus.Input), Fill: batch.PredictNext[uint8]}
}

// closings appends the closing brackets of batch i: each is predicted at the row
// that reads what stands before it. START is in front, so that is its place.
func (s *Sentences) closings(i int, dst []question) ([]question, error) {
	return questions(s.Batch(i), dst, s.lang.Closings, 1, 0)
}

// pending appends the places of batch i where a bracket is open, whether or not
// a closing bracket follows: where the public code asks.
func (s *Sentences) pending(i int, dst []question) ([]question, error) {
	return questions(s.Batch(i), dst, s.lang.Pending, 1, 1)
}
