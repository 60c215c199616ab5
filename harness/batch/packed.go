package batch

import (
	"slices"

	"pushdown/harness/train"
)

// Token is a symbol of a string.
type Token interface{ uint8 | int32 }

// Prefix is the part of a string that is read: its first Len tokens, at least one.
type Prefix struct{ String, Len int32 }

// Whole returns n prefixes, each of which is a whole string.
func Whole[T Token](n int, text func(i int) []T) []Prefix {
	list := make([]Prefix, n)
	for i := range list {
		list[i] = Prefix{String: int32(i), Len: int32(len(text(i)))}
	}
	return list
}

// Dataset describes the inputs and the targets of batches.
type Dataset[T Token] struct {
	Text func(i int) []T // returns string i
	List []Prefix        // the prefixes to read
	// Examples returns the number of examples in a prefix. If Examples is nil, each token
	// is one example.
	Examples func(s Prefix) int
	// Fill completes a batch that has only its tokens. It adds the rows at which something
	// is predicted, the targets, and other inputs.
	Fill func(p *Packed[T], b *train.Batch)
}

// examples returns the number of examples in a prefix.
func (d *Dataset[T]) examples(s Prefix) int {
	if d.Examples == nil {
		return int(s.Len)
	}
	return d.Examples(s)
}

// longest returns the length of the longest prefix.
func (d *Dataset[T]) longest() int {
	n := int32(0)
	for _, s := range d.List {
		n = max(n, s.Len)
	}
	return int(n)
}

// Packed describes the layout of a batch. The batch has one row for each token: first the
// first tokens of all strings, then their second tokens, and so on, without padding. Packed
// tells which row a token has.
type Packed[T Token] struct {
	List   []Prefix // the prefixes of the batch, the longest first
	Text   [][]T    // the tokens of each prefix, with the rest of its string as capacity
	Active []int    // the number of active strings at each step
	Rows   int      // the number of rows of all steps
	Update int      // the number of the update; in a set, the number of the epoch

	data  Dataset[T]
	first []int // the first row of each step
	count []int // the number of prefixes by length, then the index of the next one in List
	after [][]T // scratch memory of Next
	near  uint8 // the result of fetch
}

// packed returns a Packed with memory for batches within the bounds b.
func packed[T Token](d Dataset[T], b train.Bounds) Packed[T] {
	return Packed[T]{data: d, List: make([]Prefix, b.Strings), Text: make([][]T, b.Strings), after: make([][]T, b.Strings),
		Active: make([]int, 0, b.Steps), first: make([]int, b.Steps), count: make([]int, b.Steps+1)}
}

// lay sorts the prefixes of a batch and computes the rows of each step.
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
	// count[n] is now the index of the first string of length n. The strings before
	// that index are longer than n, so count[n] is the number of strings that are
	// active at step n.
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

// fill fills the empty batch b with the prefixes in drawn.
func (p *Packed[T]) fill(drawn []Prefix, update int, b *train.Batch) {
	p.lay(drawn, update)
	b.Active = append(b.Active, p.Active...)
	b.Token = p.pack(b.Token, p.Text)
	p.data.Fill(p, b)
}

// pack appends the tokens of the strings in text, in the order of the packed rows.
func (p *Packed[T]) pack(dst []int32, text [][]T) []int32 {
	n := len(dst)
	dst = slices.Grow(dst, p.Rows)[:n+p.Rows]
	p.near = pack(dst[n:], text, p.first)
	return dst
}

// Row returns the row of the token at step t of the i-th string.
func (p *Packed[T]) Row(t, i int) int { return p.first[t] + i }

// All appends the indices of all rows to dst.
func (p *Packed[T]) All(dst []int32) []int32 {
	for row := range p.Rows {
		dst = append(dst, int32(row))
	}
	return dst
}

// Next appends, for each row, the token that follows the token of this row in its string.
func (p *Packed[T]) Next(dst []int32) []int32 {
	p.after = p.after[:len(p.Text)]
	for i, x := range p.Text {
		p.after[i] = x[1 : len(x)+1]
	}
	return p.pack(dst, p.after)
}

// Coord appends, for each row, the coordinates of its random numbers: the string, the
// position in the string, and the update.
func (p *Packed[T]) Coord(dst []int32) []int32 {
	for t, n := range p.Active {
		for _, s := range p.List[:n] {
			dst = append(dst, s.String, int32(t), int32(p.Update))
		}
	}
	return dst
}

// Random returns a copy of d whose batches have the coordinates of random numbers, which
// networks with dropout or noise need.
func (d Dataset[T]) Random() Dataset[T] {
	fill := d.Fill
	d.Fill = func(p *Packed[T], b *train.Batch) {
		fill(p, b)
		b.Coord = p.Coord(b.Coord)
	}
	return d
}

// PredictNext adds a prediction of the next token at each row, as for a language
// model. Each prefix must be shorter than its string.
func PredictNext[T Token](p *Packed[T], b *train.Batch) {
	b.ExampleRows, b.Target = p.All(b.ExampleRows), p.Next(b.Target)
}
