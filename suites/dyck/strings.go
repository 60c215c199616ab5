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
	list   []int     // strings of the present batch
	text   [][]uint8 // and what they are
	offset []int     // first row of each step
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
	list := make([]int32, 0, s.size)
	for j := i * s.size; j < min((i+1)*s.size, s.corpus.Len()); j++ {
		list = append(list, int32(j))
	}
	return s.sorted(list)
}

// sorted is the list with the longest string first, ties by their place in it.
func (s *Strings) sorted(list []int32) []int {
	s.list = s.list[:0]
	for _, j := range list {
		s.list = append(s.list, int(j))
	}
	slices.SortStableFunc(s.list, func(a, b int) int { return len(s.corpus.Body(b)) - len(s.corpus.Body(a)) })
	return s.list
}

// Fill makes b batch i.
func (s *Strings) Fill(i int, b *train.Batch) { s.fill(s.batch(i), b) }

// fill makes b the batch of some strings, longest first. Examples stand in the
// order of their rows: by step, then by string. The last bracket of a string
// closes, so its row predicts nothing.
func (s *Strings) fill(list []int, b *train.Batch) {
	s.text = s.text[:0]
	for _, j := range list {
		s.text = append(s.text, s.corpus.Body(j))
	}
	b.Active = going(b.Active, s.text)
	var rows int
	s.offset, rows = place(s.offset[:0], b.Active)
	b.Token = grow(b.Token, rows)
	pack(b.Token, s.text, s.offset)

	b.Pick, b.Target = grow(b.Pick, rows), grow(b.Target, rows)
	found := 0
	for t := 1; t < len(s.offset); t++ {
		first := int32(s.offset[t-1])
		for j, token := range b.Token[s.offset[t]:][:b.Active[t]] {
			b.Pick[found], b.Target[found] = first+int32(j), token-int32(s.lang.K)
			if int(token) >= s.lang.K {
				found++
			}
		}
	}
	b.Pick, b.Target = b.Pick[:found], b.Target[:found]
}

// Distances appends the distance of each example of batch i, in their order.
func (s *Strings) Distances(i int, dst []int) ([]int, error) {
	var all []formal.Closing
	var err error
	for _, j := range s.batch(i) {
		if all, err = s.lang.Closings(all, s.corpus.Body(j)); err != nil {
			return nil, err
		}
	}
	next := make([]int, s.bounds.Steps+1) // place of the next example by its position
	for _, c := range all {
		next[c.At+1]++
	}
	for at := range s.bounds.Steps {
		next[at+1] += next[at]
	}
	list := slices.Grow(dst, len(all))[:len(dst)+len(all)]
	for _, c := range all { // by string, so those of one position come in their order
		list[len(dst)+next[c.At]] = c.Distance()
		next[c.At]++
	}
	return list, nil
}
