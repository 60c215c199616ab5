package recognition

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/rng"
	"pushdown/harness/train"
)

// Shuffled gives the strings of a part in a new order for each epoch. What does
// not fill a batch at the end of an epoch is left out of it.
type Shuffled struct {
	strings *Strings
	order   rng.Stream
	pass    int // of perm; -1 before the first
	perm    []int32

	growth // if strings come in by blocks
}

// NewShuffled makes batches of size strings, whose order follows from the run's
// seed.
func NewShuffled(lang formal.Language, corpus *formal.Labelled, size int, seed uint64) (*Shuffled, error) {
	if size < 1 || corpus.Len() < size {
		return nil, fmt.Errorf("recognition: batches of %d of %d strings, want at least one string and one batch", size, corpus.Len())
	}
	return &Shuffled{
		strings: &Strings{lang: lang, corpus: corpus, size: size, oracle: lang.Judge()},
		order:   rng.New(seed, "order"), pass: -1, perm: make([]int32, corpus.Len()),
	}, nil
}

// PerEpoch is the number of whole batches.
func (s *Shuffled) PerEpoch() int { return s.strings.corpus.Len() / s.strings.size }

// Bounds allows for a batch of the longest strings.
func (s *Shuffled) Bounds() train.Bounds {
	longest := 0
	for i := range s.strings.corpus.Len() {
		longest = max(longest, len(s.strings.corpus.String(i)))
	}
	rows := s.strings.size * longest
	return train.Bounds{Strings: s.strings.size, Rows: rows, Steps: longest, Examples: rows}
}

// Fill makes b the batch of an update.
func (s *Shuffled) Fill(update int, b *train.Batch) {
	size, epoch, at := s.strings.size, update/s.PerEpoch(), update%s.PerEpoch()
	pass, perm := epoch, s.perm
	if s.shortest != nil {
		perm = s.perm[:max(s.there(), size)]
		each := len(perm) / size
		pass, at = epoch*mostPasses+at/each, at%each
	}
	if pass != s.pass {
		s.order.Perm(perm, uint32(pass))
		s.pass = pass
		if s.shortest != nil {
			for i, j := range perm {
				perm[i] = s.shortest[j]
			}
		}
	}
	s.strings.list = append(s.strings.list[:0], perm[at*size:(at+1)*size]...)
	s.strings.sort()
	s.strings.fill(update, b)
}
