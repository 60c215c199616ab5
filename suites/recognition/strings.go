package recognition

import (
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/train"
)

// Strings gives the strings of a part of a corpus, the same batches in the same
// order. Every symbol is read and every row predicted from.
type Strings struct {
	lang   formal.Language
	corpus *formal.Labelled
	size   int
	bounds train.Bounds

	label  Label
	oracle formal.Judge
	order  []int32 // of the strings; nil: as in the corpus
	there  int     // strings of the order that are in the set

	list   []int32 // strings of the present batch, longest first
	offset []int   // first row of each step
}

// NewStrings cuts a part into batches of size strings; the last one has what is
// left.
func NewStrings(lang formal.Language, corpus *formal.Labelled, size int) *Strings {
	s := &Strings{lang: lang, corpus: corpus, size: size, oracle: lang.Judge(), there: corpus.Len()}
	s.measure()
	return s
}

// measure finds the bounds.
func (s *Strings) measure() {
	for i := range s.Len() {
		rows := 0
		for _, j := range s.batch(i) {
			n := len(s.corpus.String(int(j)))
			rows, s.bounds.Steps = rows+n, max(s.bounds.Steps, n)
		}
		s.bounds.Rows = max(s.bounds.Rows, rows)
	}
	s.bounds.Strings, s.bounds.Examples = min(s.size, s.there), s.bounds.Rows
}

// Len is the number of batches.
func (s *Strings) Len() int { return (s.there + s.size - 1) / s.size }

// Bounds is the largest batch.
func (s *Strings) Bounds() train.Bounds { return s.bounds }

// batch returns the strings of batch i, longest first, ties by index. It is
// overwritten by the next one.
func (s *Strings) batch(i int) []int32 {
	s.list = s.list[:0]
	for j := i * s.size; j < min((i+1)*s.size, s.there); j++ {
		at := int32(j)
		if s.order != nil {
			at = s.order[j]
		}
		s.list = append(s.list, at)
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
	b.Weight, b.Label, b.Judged, b.Coord = grow(b.Weight, rows), grow(b.Label, rows), grow(b.Judged, rows), grow(b.Coord, 3*rows)
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
			b.Token[row], b.Target[row], b.Weight[row], b.Label[row], b.Judged[row] = int32(symbol), next, w, y, 1
			b.Coord[3*row], b.Coord[3*row+1], b.Coord[3*row+2] = j, int32(t), int32(update)
		}
		s.relabel(i, text, b)
	}
}

// relabel gives a string other labels than its own.
func (s *Strings) relabel(i int, text []uint8, b *train.Batch) {
	switch s.label {
	case OfPrefix:
		s.oracle.Reset()
		for t, symbol := range text {
			s.oracle.Read(symbol)
			b.Label[s.offset[t]+i] = 0
			if s.oracle.Viable() {
				b.Label[s.offset[t]+i] = 1
			}
		}
	case AtEnd:
		for t := range text[:len(text)-1] {
			b.Judged[s.offset[t]+i] = 0
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
