package dyck

import (
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/train"
)

// Strings gives the closing brackets of whole strings: each string is read
// once, and the model answers before each closing bracket. These are the
// examples of Prefixes at a fraction of the cost.
type Strings struct {
	lang   formal.BoundedDyck
	corpus *formal.Corpus
	size   int
	bounds train.Bounds
}

// NewStrings cuts a corpus into batches of size strings.
func NewStrings(lang formal.BoundedDyck, corpus *formal.Corpus, size int) *Strings {
	s := &Strings{lang: lang, corpus: corpus, size: size}
	for i := range s.Len() {
		rows, closings := 0, 0
		for j := i * size; j < min((i+1)*size, corpus.Len()); j++ {
			n := len(corpus.Body(j))
			rows, closings = rows+n, closings+n/2
			s.bounds.Steps = max(s.bounds.Steps, n)
		}
		s.bounds.Rows, s.bounds.Examples = max(s.bounds.Rows, rows), max(s.bounds.Examples, closings)
	}
	s.bounds.Strings = min(size, corpus.Len())
	return s
}

// Len is the number of batches.
func (s *Strings) Len() int { return (s.corpus.Len() + s.size - 1) / s.size }

// Bounds is the largest batch.
func (s *Strings) Bounds() train.Bounds { return s.bounds }

// batch returns the strings of batch i, longest first, ties by index.
func (s *Strings) batch(i int) []int {
	list := make([]int, 0, s.size)
	for j := i * s.size; j < min((i+1)*s.size, s.corpus.Len()); j++ {
		list = append(list, j)
	}
	slices.SortStableFunc(list, func(a, b int) int { return len(s.corpus.Body(b)) - len(s.corpus.Body(a)) })
	return list
}

// Fill makes b batch i. Examples stand in the order of their rows: by step,
// then by string. The last bracket of a string closes, so its row predicts
// nothing.
func (s *Strings) Fill(i int, b *train.Batch) {
	list := s.batch(i)
	row := int32(0)
	for t, n := 0, len(list); ; t++ {
		for n > 0 && len(s.corpus.Body(list[n-1])) <= t {
			n--
		}
		if n == 0 {
			return
		}
		b.Active = append(b.Active, n)
		for _, j := range list[:n] {
			text := s.corpus.Body(j)
			b.Token = append(b.Token, int32(text[t]))
			if t+1 < len(text) && int(text[t+1]) >= s.lang.K {
				b.Pick = append(b.Pick, row)
				b.Target = append(b.Target, int32(text[t+1])-int32(s.lang.K))
			}
			row++
		}
	}
}

// Distances appends the distance of each example of batch i, in their order.
func (s *Strings) Distances(i int, dst []int) ([]int, error) {
	type closing struct{ at, string, distance int }
	var all []closing
	var list []formal.Closing
	var err error
	for place, j := range s.batch(i) {
		if list, err = s.lang.Closings(list[:0], s.corpus.Body(j)); err != nil {
			return nil, err
		}
		for _, c := range list {
			all = append(all, closing{int(c.At), place, c.Distance()})
		}
	}
	slices.SortFunc(all, func(a, b closing) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.string - b.string
	})
	for _, c := range all {
		dst = append(dst, c.distance)
	}
	return dst, nil
}
