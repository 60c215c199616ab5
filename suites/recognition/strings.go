package recognition

import (
	"fmt"
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/rng"
	"pushdown/harness/train"
)

// Strings gives the strings of a part of a corpus, the same batches in the same
// order. Every symbol is read and every row predicted from.
type Strings struct {
	lang   formal.Language
	corpus *formal.Labelled
	size   int
	bounds train.Bounds

	list   []int32 // strings of the present batch, longest first
	offset []int   // first row of each step
}

// NewStrings cuts a part into batches of size strings; the last one has what is
// left.
func NewStrings(lang formal.Language, corpus *formal.Labelled, size int) *Strings {
	s := &Strings{lang: lang, corpus: corpus, size: size}
	for i := range s.Len() {
		rows := 0
		for _, j := range s.batch(i) {
			n := len(corpus.String(int(j)))
			rows, s.bounds.Steps = rows+n, max(s.bounds.Steps, n)
		}
		s.bounds.Rows = max(s.bounds.Rows, rows)
	}
	s.bounds.Strings, s.bounds.Examples = min(size, corpus.Len()), s.bounds.Rows
	return s
}

// Len is the number of batches.
func (s *Strings) Len() int { return (s.corpus.Len() + s.size - 1) / s.size }

// Bounds is the largest batch.
func (s *Strings) Bounds() train.Bounds { return s.bounds }

// batch returns the strings of batch i, longest first, ties by index. It is
// overwritten by the next one.
func (s *Strings) batch(i int) []int32 {
	s.list = s.list[:0]
	for j := i * s.size; j < min((i+1)*s.size, s.corpus.Len()); j++ {
		s.list = append(s.list, int32(j))
	}
	s.sort()
	return s.list
}

// sort puts the longest string of the list first, ties by their place in it.
func (s *Strings) sort() {
	if len(s.list) > 1 {
		slices.SortStableFunc(s.list, func(a, b int32) int { return len(s.corpus.String(int(b))) - len(s.corpus.String(int(a))) })
	}
}

// Fill makes b batch i.
func (s *Strings) Fill(i int, b *train.Batch) {
	s.batch(i)
	s.fill(0, b)
}

// fill makes b the batch of the strings in the list. The coordinates of chance
// are the index of the string, the step and the update.
func (s *Strings) fill(update int, b *train.Batch) {
	rows, going := 0, len(s.list)
	s.offset = s.offset[:0]
	for t := range s.corpus.String(int(s.list[0])) {
		for len(s.corpus.String(int(s.list[going-1]))) <= t {
			going--
		}
		b.Active = append(b.Active, going)
		s.offset, rows = append(s.offset, rows), rows+going
	}
	b.Token, b.Pick, b.Target = grow(b.Token, rows), grow(b.Pick, rows), grow(b.Target, rows)
	b.Weight, b.Label, b.Coord = grow(b.Weight, rows), grow(b.Label, rows), grow(b.Coord, 3*rows)
	for i := range b.Pick {
		b.Pick[i] = int32(i)
	}
	for i, j := range s.list {
		text, y := s.corpus.String(int(j)), float32(0)
		if s.corpus.Valid(int(j)) {
			y = 1
		}
		last := len(text) - 1
		for t, symbol := range text {
			row, next, w := s.offset[t]+i, int32(0), float32(0)
			if t < last {
				next, w = int32(text[t+1]), y
			}
			b.Token[row], b.Target[row], b.Weight[row], b.Label[row] = int32(symbol), next, w, y
			b.Coord[3*row], b.Coord[3*row+1], b.Coord[3*row+2] = j, int32(t), int32(update)
		}
	}
}

// grow returns n elements in the memory of x, or in new memory.
func grow[E any](x []E, n int) []E {
	if cap(x) < n {
		return make([]E, n)
	}
	return x[:n]
}

// Shuffled gives the strings of a part in a new order for each epoch. What does
// not fill a batch at the end of an epoch is left out of it.
type Shuffled struct {
	strings *Strings
	order   rng.Stream
	epoch   int // of perm; -1 before the first
	perm    []int32
}

// NewShuffled makes batches of size strings, whose order follows from the run's
// seed.
func NewShuffled(lang formal.Language, corpus *formal.Labelled, size int, seed uint64) (*Shuffled, error) {
	if size < 1 || corpus.Len() < size {
		return nil, fmt.Errorf("recognition: batches of %d of %d strings, want at least one string and one batch", size, corpus.Len())
	}
	return &Shuffled{
		strings: &Strings{lang: lang, corpus: corpus, size: size},
		order:   rng.New(seed, "order"), epoch: -1, perm: make([]int32, corpus.Len()),
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
	if epoch := update / s.PerEpoch(); epoch != s.epoch {
		s.order.Perm(s.perm, uint32(epoch))
		s.epoch = epoch
	}
	at := update % s.PerEpoch() * s.strings.size
	s.strings.list = append(s.strings.list[:0], s.perm[at:at+s.strings.size]...)
	s.strings.sort()
	s.strings.fill(update, b)
}
