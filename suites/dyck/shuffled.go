package dyck

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/rng"
	"pushdown/harness/train"
)

// Shuffled gives batches of whole strings that hold about a given number of
// closing brackets, each of which is an example, read as by [Strings]. The
// strings of an epoch stand in a new order, and are cut where the count of their
// closing brackets passes the next multiple of a share that is the same for all
// batches; so every epoch has as many batches, and every string is in one.
type Shuffled struct {
	strings  *Strings
	per      int // batches of an epoch
	total    int // closing brackets
	longest  int // most closing brackets of a string
	shortest int // fewest
	order    rng.Stream

	epoch int // of perm and cut; -1 before the first
	perm  []int32
	cut   []int // first string of each batch in perm, and the end
}

// NewShuffled cuts a corpus into batches of about size closing brackets, on
// average no fewer. Their order follows from the run's seed.
func NewShuffled(lang formal.BoundedDyck, corpus *formal.Corpus, size int, seed uint64) (*Shuffled, error) {
	s := &Shuffled{strings: &Strings{lang: lang, corpus: corpus}, order: rng.New(seed, "order"), epoch: -1, perm: make([]int32, corpus.Len())}
	for i := range corpus.Len() {
		n := len(corpus.Body(i)) / 2
		s.total, s.longest = s.total+n, max(s.longest, n)
		if i == 0 || n < s.shortest {
			s.shortest = n
		}
	}
	s.per = s.total / size
	if s.per < 1 {
		return nil, fmt.Errorf("dyck: the corpus has %d closing brackets, want at least %d, a batch", s.total, size)
	}
	if s.shortest < 1 || s.longest > size {
		return nil, fmt.Errorf("dyck: a string has %d closing brackets and one has %d, want 1 to %d, a batch", s.shortest, s.longest, size)
	}
	s.cut = make([]int, s.per+1)
	return s, nil
}

// PerEpoch is the number of batches.
func (s *Shuffled) PerEpoch() int { return s.per }

// Bounds allows for a batch that begins just before a string ends and ends with
// the longest.
func (s *Shuffled) Bounds() train.Bounds {
	most := s.total/s.per + 1 + s.longest
	return train.Bounds{Strings: most / s.shortest, Rows: 2 * most, Steps: 2 * s.longest, Examples: most}
}

// Fill makes b the batch of an update.
func (s *Shuffled) Fill(update int, b *train.Batch) {
	if epoch := update / s.per; epoch != s.epoch {
		s.shuffle(epoch)
	}
	at := update % s.per
	s.strings.fill(s.strings.sorted(s.perm[s.cut[at]:s.cut[at+1]]), b)
}

// shuffle orders the strings of an epoch and cuts them: batch i ends with the
// string that brings the count of closing brackets to (i+1)/per of all.
func (s *Shuffled) shuffle(epoch int) {
	s.order.Perm(s.perm, uint32(epoch))
	s.epoch = epoch
	count, next := 0, 1
	for i, j := range s.perm {
		count += len(s.strings.corpus.Body(int(j))) / 2
		for next <= s.per && count*s.per >= next*s.total {
			s.cut[next] = i + 1
			next++
		}
	}
}
