package batch

import (
	"fmt"

	"pushdown/harness/rng"
	"pushdown/harness/train"
)

// Source gives batches of the strings of the list, in a new order for each epoch. It is
// a [train.Source].
type Source[T Token] struct {
	data   Dataset[T]
	size   int // the number of strings in a batch, or of examples if ByExamples made the source
	per    int // the number of batches in an epoch
	bounds train.Bounds
	packed Packed[T]
	order  rng.Stream
	limit  int // only so many prefixes from the start of the list are used; 0 for all
	total  int // number of examples in the list if ByExamples made the source; else 0

	pass int // the pass for which perm, list and cut are made; -1 before the first pass
	perm []int32
	list []Prefix // shuffled
	cut  []int    // the beginning of each batch in list, and the end of the last
}

// mostPasses is greater than the number of passes that an epoch can make through the list.
// An epoch makes several passes if Limit has limited the list. Pass p of epoch e then has
// the number e*mostPasses + p, which no other pass has.
const mostPasses = 1 << 10

// Shuffled returns a source of batches. The parameter size is the number of strings in a
// batch. The order of the strings depends on the run's seed. Strings at the end of an epoch
// that do not fill a batch are dropped in that epoch.
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

// ByExamples returns a source whose batches have about the same number of examples: at least
// size on average. If the list has n examples, an epoch has n/size batches, rounded down, and
// every string is in a batch. A batch ends with the string that completes its share of the n
// examples: if there are four batches, the second one ends when n/2 examples or more have
// been read. The order of the strings depends on the run's seed.
func (d Dataset[T]) ByExamples(size int, seed uint64) (*Source[T], error) {
	total, least, most, rows := 0, 0, 0, 0
	for i, x := range d.List {
		n := d.examples(x)
		if i == 0 {
			least = n
		}
		total, least, most = total+n, min(least, n), max(most, n)
		rows = max(rows, (int(x.Len)+n-1)/max(n, 1)) // per example
	}
	if size < 1 || total < size {
		return nil, fmt.Errorf("batches of %d of %d examples, want at least one example and one batch", size, total)
	}
	if least < 1 || most > size {
		return nil, fmt.Errorf("batches of %d examples of strings that have %d to %d, want at least 1 and at most a batch", size, least, most)
	}
	// A batch ends with a whole string, so it can have more examples than its share of all
	// examples. The excess is less than most, the largest number of examples of a string.
	per := total / size
	examples := total/per + 1 + most
	s := d.source(size, per, seed, train.Bounds{Strings: examples / least, Rows: rows * examples, Steps: d.longest(), Examples: examples})
	s.total = total
	return s, nil
}

// source returns a source that is complete except for the boundaries of its batches. The
// caller or shuffle writes the boundaries to the field cut.
func (d Dataset[T]) source(size, per int, seed uint64, b train.Bounds) *Source[T] {
	return &Source[T]{data: d, size: size, per: per, bounds: b, packed: packed(d, b), order: rng.New(seed, "order"),
		pass: -1, perm: make([]int32, len(d.List)), list: make([]Prefix, len(d.List)), cut: make([]int, per+1)}
}

// PerEpoch returns the number of batches in an epoch.
func (s *Source[T]) PerEpoch() int { return s.per }

// Bounds returns bounds that allow for a batch of the longest strings.
func (s *Source[T]) Bounds() train.Bounds { return s.bounds }

// Limit limits the source to the first n prefixes of the list, but to no fewer than one
// batch needs. The number of updates in an epoch does not change, so an epoch makes
// several passes through these prefixes. Limit panics if the passes are 1,024 or more,
// or if the source was made by ByExamples.
func (s *Source[T]) Limit(n int) {
	if s.total > 0 {
		panic("batch: Limit: have batches cut by examples, want batches cut by strings")
	}
	s.limit, s.pass = max(n, s.size), -1
	if passes := (s.per-1)/(s.limit/s.size) + 1; passes >= mostPasses {
		panic(fmt.Sprintf("batch: Limit: have %d passes through %d strings in an epoch, want fewer than %d", passes, s.limit, mostPasses))
	}
}

// Fill fills b with the batch of the given update.
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

// shuffle permutes the first n prefixes of the list for a pass. A pass is an epoch or, if the
// list is limited, a part of one. For a source that ByExamples made, shuffle also divides the
// list into batches.
func (s *Source[T]) shuffle(pass, n int) {
	s.order.Perm(s.perm[:n], uint32(pass))
	for i, j := range s.perm[:n] { // in one loop, so that cache misses overlap
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
