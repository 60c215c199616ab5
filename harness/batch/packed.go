package batch

import (
	"slices"

	"pushdown/harness/train"
)

// Token is a symbol of a string.
type Token interface{ uint8 | int32 }

// Prefix is what is read of a string: its first Len tokens, all or fewer, at least
// one.
type Prefix struct{ String, Len int32 }

// Whole lists n strings, all of each.
func Whole[T Token](n int, text func(i int) []T) []Prefix {
	list := make([]Prefix, n)
	for i := range list {
		list[i] = Prefix{String: int32(i), Len: int32(len(text(i)))}
	}
	return list
}

// Dataset is what is read and what is asked.
type Dataset[T Token] struct {
	Text func(i int) []T // string i
	List []Prefix        // what is read
	// Examples is the number of examples in a prefix; nil: one for each token.
	Examples func(s Prefix) int
	// Fill adds what is asked to a batch that has its tokens and nothing else.
	Fill func(p *Packed[T], b *train.Batch)
}

// examples counts the examples of a prefix.
func (d *Dataset[T]) examples(s Prefix) int {
	if d.Examples == nil {
		return int(s.Len)
	}
	return d.Examples(s)
}

// longest is the length of the longest prefix.
func (d *Dataset[T]) longest() int {
	n := int32(0)
	for _, s := range d.List {
		n = max(n, s.Len)
	}
	return int(n)
}

// Packed is how the strings of a batch are laid out.
type Packed[T Token] struct {
	List   []Prefix // of the batch, the longest first
	Text   [][]T    // their tokens; those that follow in its string are within the capacity
	Active []int    // strings that go on at each step
	Rows   int      // of all steps
	Update int      // number of the update; in a set, how often all batches were read before

	data  Dataset[T]
	first []int // row of each step
	count []int // of prefixes by length, then the place of the next one of a length
	after [][]T // scratch of Next
	near  uint8 // of fetch
}

// packed has memory for batches within bounds.
func packed[T Token](d Dataset[T], b train.Bounds) Packed[T] {
	return Packed[T]{data: d, List: make([]Prefix, b.Strings), Text: make([][]T, b.Strings), after: make([][]T, b.Strings),
		Active: make([]int, 0, b.Steps), first: make([]int, b.Steps), count: make([]int, b.Steps+1)}
}

// lay sorts what was drawn and finds the rows of each step.
func (p *Packed[T]) lay(drawn []Prefix, update int) {
	p.Update = update
	longest := int32(0)
	for _, s := range drawn {
		longest = max(longest, s.Len)
	}
	count := p.count[:longest+1]
	clear(count)
	for _, s := range drawn {
		count[s.Len]++
	}
	longer := 0
	for n := len(count) - 1; n >= 0; n-- {
		longer, count[n] = longer+count[n], longer
	}
	// The first of length n has as many before it as are longer than n,
	// which are those that go on at step n.
	p.Active = append(p.Active[:0], count[:longest]...)
	rows := 0
	for t, n := range p.Active {
		p.first[t], rows = rows, rows+n
	}
	p.Rows = rows
	p.List, p.Text = p.List[:len(drawn)], p.Text[:len(drawn)]
	for _, s := range drawn {
		p.List[count[s.Len]] = s
		count[s.Len]++
	}
	for i, s := range p.List {
		x := p.data.Text(int(s.String))
		p.Text[i] = x[:s.Len:len(x)]
	}
}

// fill makes b, which is empty, the batch of what was drawn.
func (p *Packed[T]) fill(drawn []Prefix, update int, b *train.Batch) {
	p.lay(drawn, update)
	b.Active = append(b.Active, p.Active...)
	b.Token = p.pack(b.Token, p.Text)
	p.data.Fill(p, b)
}

// pack appends texts by rows.
func (p *Packed[T]) pack(dst []int32, text [][]T) []int32 {
	n := len(dst)
	dst = slices.Grow(dst, p.Rows)[:n+p.Rows]
	p.near = pack(dst[n:], text, p.first)
	return dst
}

// Row is the row at which string i of the batch reads its token t.
func (p *Packed[T]) Row(t, i int) int { return p.first[t] + i }

// All appends the numbers of all rows.
func (p *Packed[T]) All(dst []int32) []int32 {
	for row := range p.Rows {
		dst = append(dst, int32(row))
	}
	return dst
}

// Next appends for each row the token that follows in its string.
func (p *Packed[T]) Next(dst []int32) []int32 {
	p.after = p.after[:len(p.Text)]
	for i, x := range p.Text {
		p.after[i] = x[1 : len(x)+1]
	}
	return p.pack(dst, p.after)
}

// Coord appends for each row the coordinates of its random numbers: string,
// position in it, update.
func (p *Packed[T]) Coord(dst []int32) []int32 {
	for t, n := range p.Active {
		for _, s := range p.List[:n] {
			dst = append(dst, s.String, int32(t), int32(p.Update))
		}
	}
	return dst
}

// Random returns d with the coordinates of random numbers in its batches, as a network
// with dropout or noise needs them.
func (d Dataset[T]) Random() Dataset[T] {
	fill := d.Fill
	d.Fill = func(p *Packed[T], b *train.Batch) {
		fill(p, b)
		b.Coord = p.Coord(b.Coord)
	}
	return d
}

// PredictNext asks at each row for the token that follows, as a language model
// does. List end before their strings do.
func PredictNext[T Token](p *Packed[T], b *train.Batch) {
	b.Pick, b.Target = p.All(b.Pick), p.Next(b.Target)
}
