package dyck

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/rng"
	"pushdown/harness/train"
)

// Prefixes gives batches of independent (prefix, closing bracket) pairs: each
// update draws the next ones from the shuffled list of all pairs of the
// corpus; what does not fill a batch at the end of an epoch is left out of it.
type Prefixes struct {
	corpus *formal.Corpus
	k      int
	size   int
	end    []prefix // every closing bracket of the corpus
	most   int      // longest prefix
	order  rng.Stream

	epoch int // of list; -1 before the first
	perm  []int32
	list  []prefix  // end, shuffled
	count []int32   // of prefixes by length, then places
	row   []prefix  // the batch, longest first
	text  [][]uint8 // the prefixes themselves
	near  uint8     // of fetch

	offset []int // first row of each step
}

// prefix is a closing bracket: a string and the position in it.
type prefix struct{ text, at int32 }

// NewPrefixes lists the pairs of a corpus. Batches hold size of them; their
// order follows from the run's seed.
func NewPrefixes(lang formal.BoundedDyck, corpus *formal.Corpus, size int, seed uint64) (*Prefixes, error) {
	p := &Prefixes{corpus: corpus, k: lang.K, size: size, order: rng.New(seed, "order"), epoch: -1}
	for i := range corpus.Len() {
		for at, token := range corpus.Body(i) {
			if int(token) >= lang.K {
				p.end = append(p.end, prefix{int32(i), int32(at)})
				p.most = max(p.most, at)
			}
		}
	}
	if len(p.end) < size {
		return nil, fmt.Errorf("dyck: the corpus has %d closing brackets, want at least %d, a batch", len(p.end), size)
	}
	p.perm, p.list = make([]int32, len(p.end)), make([]prefix, len(p.end))
	p.count = make([]int32, p.most+2)
	p.row, p.text = make([]prefix, size), make([][]uint8, size)
	return p, nil
}

// PerEpoch is the number of whole batches in the list.
func (p *Prefixes) PerEpoch() int { return len(p.end) / p.size }

// Bounds allows for a batch of the longest prefixes.
func (p *Prefixes) Bounds() train.Bounds {
	return train.Bounds{Strings: p.size, Rows: p.size * p.most, Steps: p.most, Examples: p.size}
}

// Fill makes b the batch of an update: longest prefix first, ties by their
// place in the shuffled list. Examples stand in the same order.
func (p *Prefixes) Fill(update int, b *train.Batch) {
	epoch, at := update/p.PerEpoch(), update%p.PerEpoch()*p.size
	if epoch != p.epoch {
		p.order.Perm(p.perm, uint32(epoch))
		for i, j := range p.perm { // all at once: the processor fetches many at a time
			p.list[i] = p.end[j]
		}
		p.epoch = epoch
	}
	drawn := p.list[at : at+p.size]
	clear(p.count)
	for _, e := range drawn {
		p.count[e.at]++
	}
	// active[t] is the number of prefixes longer than t; the place of the
	// first prefix of length n is the number of longer ones.
	longer := int32(0)
	for n := p.most; n > 0; n-- {
		longer, p.count[n] = longer+p.count[n], longer
	}
	for _, e := range drawn {
		p.row[p.count[e.at]] = e
		p.count[e.at]++
	}
	steps := int(p.row[0].at)
	b.Active = b.Active[:0]
	for t, n := 0, p.size; t < steps; t++ {
		for int(p.row[n-1].at) <= t {
			n--
		}
		b.Active = append(b.Active, n)
	}
	p.pack(b)
}

// pack copies the tokens, and points at the last row of each prefix.
func (p *Prefixes) pack(b *train.Batch) {
	var rows int
	p.offset, rows = place(p.offset[:0], b.Active)
	b.Token, b.Pick, b.Target = grow(b.Token, rows), grow(b.Pick, p.size), grow(b.Target, p.size)
	for i, e := range p.row {
		p.text[i] = p.corpus.Body(int(e.text))[:e.at+1]
	}
	p.near = fetch(p.text)
	for i, e := range p.row {
		b.Target[i] = int32(p.text[i][e.at]) - int32(p.k)
		b.Pick[i] = int32(p.offset[e.at-1] + i)
		p.text[i] = p.text[i][:e.at]
	}
	pack(b.Token, p.text, p.offset)
}
