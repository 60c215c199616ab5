package batch

import "pushdown/harness/train"

// Set gives batches of so many strings in the order of the list, the last one
// with what is left. It is a [train.Set], and a [train.Source] of batches that
// come in the same order in each epoch.
type Set[T Token] struct {
	data   Dataset[T]
	size   int
	bounds train.Bounds
	packed Packed[T]
}

// Set cuts the list into batches of size strings.
func (d Dataset[T]) Set(size int) *Set[T] {
	s := &Set[T]{data: d, size: size}
	for i := range s.Len() {
		rows, examples := 0, 0
		for _, x := range s.drawn(i) {
			rows, examples = rows+int(x.Len), examples+d.examples(x)
		}
		s.bounds.Rows, s.bounds.Examples = max(s.bounds.Rows, rows), max(s.bounds.Examples, examples)
	}
	s.bounds.Strings, s.bounds.Steps = min(size, len(d.List)), d.longest()
	s.packed = packed(d, s.bounds)
	return s
}

// Len is the number of batches.
func (s *Set[T]) Len() int { return (len(s.data.List) + s.size - 1) / s.size }

// PerEpoch is the number of batches too.
func (s *Set[T]) PerEpoch() int { return s.Len() }

// Bounds is the largest batch of the whole list.
func (s *Set[T]) Bounds() train.Bounds { return s.bounds }

// Limit has the set end after the first n of the list.
func (s *Set[T]) Limit(n int) { s.data.List = s.data.List[:n] }

// drawn is what batch i reads, in the order of the list.
func (s *Set[T]) drawn(i int) []Prefix {
	return s.data.List[i*s.size : min((i+1)*s.size, len(s.data.List))]
}

// Batch lays batch i out. The next one overwrites it.
func (s *Set[T]) Batch(i int) *Packed[T] {
	s.packed.lay(s.drawn(i), 0)
	return &s.packed
}

// Fill makes b batch i, counted on through the epochs.
func (s *Set[T]) Fill(i int, b *train.Batch) {
	s.packed.fill(s.drawn(i%s.Len()), i/s.Len(), b)
}
