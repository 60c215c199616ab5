package batch

import (
	"fmt"

	"pushdown/harness/rng"
	"pushdown/harness/train"
)

// Source gives the strings of the list in a new order for each epoch. It is a
// [train.Source].
type Source[T Token] struct {
	data   Dataset[T]
	size   int // strings or examples of a batch
	per    int // batches of an epoch
	bounds train.Bounds
	packed Packed[T]
	order  rng.Stream
	limit  int // strings of the list that are drawn from; 0: all
	total  int // examples of the list by which batches are cut; 0: each has size strings

	pass int // of what follows; -1 before the first
	perm []int32
	list []Prefix // shuffled
	cut  []int    // where each batch begins, and the end
}

// mostPasses is more than the passes of an epoch through a part of the list.
const mostPasses = 1 << 10

// Shuffled makes batches of size strings, whose order follows from the run's seed.
// What does not fill a batch at the end of an epoch is left out of it.
func (d Dataset[T]) Shuffled(size int, seed uint64) (*Source[T], error) {
	if size < 1 || len(d.List) < size {
		return nil, fmt.Errorf("batches of %d of %d strings, want at least one string and one batch", size, len(d.List))
	}
	most := 0
	for _, x := range d.List {
		most = max(most, d.examples(x))
	}
	steps := d.longest()
	s := d.source(size, len(d.List)/size, seed, train.Bounds{Strings: size, Rows: size * steps, Steps: steps, Examples: size * most})
	for i := range s.cut {
		s.cut[i] = i * size
	}
	return s, nil
}

// ByExamples makes batches of about size examples, on average no fewer. The
// strings of an epoch are cut where the count of their examples passes the next
// multiple of a share that is the same for all batches: so every epoch has as many
// batches, and every string is in one. Their order follows from the run's seed.
func (d Dataset[T]) ByExamples(size int, seed uint64) (*Source[T], error) {
	total, least, most, rows := 0, 0, 0, 0
	for i, x := range d.List {
		n := d.examples(x)
		if i == 0 {
			least = n
		}
		total, least, most = total+n, min(least, n), max(most, n)
		rows = max(rows, (int(x.Len)+n-1)/max(n, 1)) // of an example
	}
	if size < 1 || total < size {
		return nil, fmt.Errorf("batches of %d of %d examples, want at least one example and one batch", size, total)
	}
	if least < 1 || most > size {
		return nil, fmt.Errorf("batches of %d examples of strings that have %d to %d, want at least 1 and at most a batch", size, least, most)
	}
	// A batch may begin just before a string ends and end with the largest.
	per := total / size
	examples := total/per + 1 + most
	s := d.source(size, per, seed, train.Bounds{Strings: examples / least, Rows: rows * examples, Steps: d.longest(), Examples: examples})
	s.total = total
	return s, nil
}

// source is a source without cuts.
func (d Dataset[T]) source(size, per int, seed uint64, b train.Bounds) *Source[T] {
	return &Source[T]{data: d, size: size, per: per, bounds: b, packed: packed(d, b), order: rng.New(seed, "order"),
		pass: -1, perm: make([]int32, len(d.List)), list: make([]Prefix, len(d.List)), cut: make([]int, per+1)}
}

// PerEpoch is the number of batches.
func (s *Source[T]) PerEpoch() int { return s.per }

// Bounds allows for a batch of the longest strings.
func (s *Source[T]) Bounds() train.Bounds { return s.bounds }

// Limit has batches drawn from the first n of the list alone, or from as many as
// are in a batch. An epoch has as many updates as ever: it goes through what is
// there as often as that takes. Limit panics if batches are cut by examples.
func (s *Source[T]) Limit(n int) {
	if s.total > 0 {
		panic("batch: batches are cut by examples, want them cut by strings where fewer are there")
	}
	s.limit, s.pass = max(n, s.size), -1
}

// Fill makes b the batch of an update.
func (s *Source[T]) Fill(update int, b *train.Batch) {
	pass, at, n := update/s.per, update%s.per, len(s.list)
	if s.limit > 0 {
		n = s.limit
		pass, at = pass*mostPasses+at/(n/s.size), at%(n/s.size)
	}
	if pass != s.pass {
		s.shuffle(pass, n)
	}
	s.packed.fill(s.list[s.cut[at]:s.cut[at+1]], update, b)
}

// shuffle orders the first n of the list for a pass through them. Cut by examples,
// batch i ends with the string that brings their count to (i+1)/per of all.
func (s *Source[T]) shuffle(pass, n int) {
	s.order.Perm(s.perm[:n], uint32(pass))
	for i, j := range s.perm[:n] { // all at once: the processor fetches many at a time
		s.list[i] = s.data.List[j]
	}
	s.pass = pass
	if s.total == 0 {
		return
	}
	count, next := 0, 1
	for i, x := range s.list {
		for count += s.data.examples(x); next <= s.per && count*s.per >= next*s.total; next++ {
			s.cut[next] = i + 1
		}
	}
}
