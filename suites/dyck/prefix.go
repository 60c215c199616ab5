package dyck

import (
	"encoding/binary"
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

	epoch int // of perm; -1 before the first
	perm  []int32
	count []int32 // of prefixes by length, then places
	drawn []prefix
	row   []prefix  // drawn, longest first
	text  [][]uint8 // of row

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
	p.perm = make([]int32, len(p.end))
	p.count = make([]int32, p.most+2)
	p.drawn, p.row, p.text = make([]prefix, size), make([]prefix, size), make([][]uint8, size)
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
		p.epoch = epoch
	}
	drawn := p.perm[at : at+p.size]
	for j, i := range drawn { // a loop of its own: the processor fetches many at a time
		p.drawn[j] = p.end[i]
	}
	clear(p.count)
	for _, e := range p.drawn {
		p.count[e.at]++
	}
	// active[t] is the number of prefixes longer than t; the place of the
	// first prefix of length n is the number of longer ones.
	longer := int32(0)
	for n := p.most; n > 0; n-- {
		longer, p.count[n] = longer+p.count[n], longer
	}
	for _, e := range p.drawn {
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

// pack copies tokens step by step, and points at the last row of each prefix.
func (p *Prefixes) pack(b *train.Batch) {
	rows := 0
	for _, n := range b.Active {
		rows += n
	}
	b.Token, b.Pick, b.Target = grow(b.Token, rows), grow(b.Pick, p.size), grow(b.Target, p.size)
	for i, e := range p.row {
		p.text[i] = p.corpus.Body(int(e.text))
	}
	for i, e := range p.row {
		b.Target[i] = int32(p.text[i][e.at]) - int32(p.k)
	}
	p.offset = p.offset[:0]
	for t, off := 0, 0; t < len(b.Active); t++ {
		p.offset = append(p.offset, off)
		off += b.Active[t]
	}
	for i, e := range p.row {
		b.Pick[i] = int32(p.offset[e.at-1] + i)
	}
	// Eight steps at a time, so that each is written from its first row to its
	// last; the prefixes that end within the eight go token by token.
	n := p.size
	for t := 0; n > 0; t += wordTokens {
		for ; n > 0 && int(p.row[n-1].at) < t+wordTokens; n-- {
			for k, token := range p.text[n-1][t:p.row[n-1].at] {
				b.Token[p.offset[t+k]+n-1] = int32(token)
			}
		}
		if n > 0 {
			p.packSteps(b.Token, t, n)
		}
	}
}

// wordTokens is the number of tokens in a word.
const wordTokens = 8

// packSteps copies the tokens of steps t to t+7 of the first n strings. A word
// has eight tokens of a string; shifted and masked, two words have the tokens of
// two strings in one step after the other.
func (p *Prefixes) packSteps(token []int32, t, n int) {
	const mask = 0xff_0000_00ff
	row := func(k int) []int32 { return token[p.offset[t+k]:][:n] }
	s0, s1, s2, s3, s4, s5, s6, s7 := row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)
	text := p.text[:n]
	for j := 1; j < n; j += 2 {
		x, y := binary.LittleEndian.Uint64(text[j-1][t:]), binary.LittleEndian.Uint64(text[j][t:])
		early, late := x&(1<<32-1)|y<<32, x>>32|y&^(1<<32-1)
		v := early & mask
		s0[j-1], s0[j] = int32(v), int32(v>>32)
		v = early >> 8 & mask
		s1[j-1], s1[j] = int32(v), int32(v>>32)
		v = early >> 16 & mask
		s2[j-1], s2[j] = int32(v), int32(v>>32)
		v = early >> 24 & mask
		s3[j-1], s3[j] = int32(v), int32(v>>32)
		v = late & mask
		s4[j-1], s4[j] = int32(v), int32(v>>32)
		v = late >> 8 & mask
		s5[j-1], s5[j] = int32(v), int32(v>>32)
		v = late >> 16 & mask
		s6[j-1], s6[j] = int32(v), int32(v>>32)
		v = late >> 24 & mask
		s7[j-1], s7[j] = int32(v), int32(v>>32)
	}
	if n%2 == 1 {
		for k, x := range text[n-1][t : t+wordTokens] {
			row(k)[n-1] = int32(x)
		}
	}
}

// grow returns n elements in the memory of x, or in new memory.
func grow(x []int32, n int) []int32 {
	if cap(x) < n {
		return make([]int32, n)
	}
	return x[:n]
}
