package batch

import (
	"fmt"

	"pushdown/harness/train"
)

// Set gives batches of a fixed number of strings in the order of the list. The last
// batch has the remaining strings. A Set is a [train.Set]. It is also a
// [train.Source], which gives the same batches in the same order in every epoch.
type Set[T Token] struct {
	data   Dataset[T]
	size   int
	bounds train.Bounds
	packed Packed[T]
}

// Set returns a Set. The parameter size is the number of strings in a batch; Set panics if
// it is less than 1.
func (d Dataset[T]) Set(size int) *Set[T] {
	if size < 1 {
		panic(fmt.Sprintf("batch: have batches of %d strings, want at least 1", size))
	}
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

// Len returns the number of batches.
func (s *Set[T]) Len() int { return (len(s.data.List) + s.size - 1) / s.size }

// PerEpoch returns the number of batches, like Len.
func (s *Set[T]) PerEpoch() int { return s.Len() }

// Bounds returns the greatest numbers of strings, steps, rows and examples in a batch.
// Batches that Limit excludes count, too.
func (s *Set[T]) Bounds() train.Bounds { return s.bounds }

// Limit limits the set to the first n prefixes of the list.
func (s *Set[T]) Limit(n int) { s.data.List = s.data.List[:n] }

// drawn returns the prefixes of batch i, in the order of the list.
func (s *Set[T]) drawn(i int) []Prefix {
	return s.data.List[i*s.size : min((i+1)*s.size, len(s.data.List))]
}

// Batch returns batch i, packed. The next call overwrites it.
func (s *Set[T]) Batch(i int) *Packed[T] {
	s.packed.lay(s.drawn(i), 0)
	return &s.packed
}

// Fill fills b with batch i. Batches are counted from 0 across epochs: if an epoch has
// three batches, batch 4 is the second batch of the second epoch.
func (s *Set[T]) Fill(i int, b *train.Batch) {
	s.packed.fill(s.drawn(i%s.Len()), i/s.Len(), b)
}
