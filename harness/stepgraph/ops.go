package stepgraph

// The methods that cells call. Each adds one or a few operations of the table,
// which defines shapes and meanings.

// MulOne returns x times the run-time scalar w.
func (b *Builder) MulOne(x, w *Node) *Node { return b.apply(Op{Kind: MulOne}, x, w) }

// AddRow adds the row w to every row of x.
func (b *Builder) AddRow(x, w *Node) *Node { return b.apply(Op{Kind: AddRow}, x, w) }

// MulRow multiplies every row of x by the row w.
func (b *Builder) MulRow(x, w *Node) *Node { return b.apply(Op{Kind: MulRow}, x, w) }

// MulCol multiplies every column of x by the column w.
func (b *Builder) MulCol(x, w *Node) *Node { return b.apply(Op{Kind: MulCol}, x, w) }

// RowDot returns the sum of x*y over each row.
func (b *Builder) RowDot(x, y *Node) *Node { return b.apply(Op{Kind: RowDot}, x, y) }

// MatMul returns the matrix product x y.
func (b *Builder) MatMul(x, y *Node) *Node { return b.apply(Op{Kind: MatMul}, x, y) }

// Affine returns x w + bias.
func (b *Builder) Affine(x, w, bias *Node) *Node {
	return b.AddRow(b.MatMul(x, w), bias)
}

// Concat returns the values side by side.
func (b *Builder) Concat(x ...*Node) *Node {
	return b.apply(Op{Kind: ConcatCols}, x...)
}

// Slice returns n columns of x, starting at column from, step apart.
func (b *Builder) Slice(x *Node, from, n, step int) *Node {
	return b.apply(Op{Kind: SliceCols, I: [3]int{from, n, step}}, x)
}

// AddTop returns the stack-major value s with x added to its first rows.
func (b *Builder) AddTop(s, x *Node) *Node {
	return b.apply(Op{Kind: AddAtRows, I: [3]int{0, 0, 1}}, s, x)
}

// Split returns n equal parts of the columns of x.
func (b *Builder) Split(x *Node, n int) []*Node {
	w := x.Shape()[1] / n
	parts := make([]*Node, n)
	for i := range parts {
		parts[i] = b.Slice(x, i*w, w, 1)
	}
	return parts
}

// ToStackMajor turns rows [B, s*p] into [p, B*s].
func (b *Builder) ToStackMajor(x *Node, p int) *Node {
	return b.apply(Op{Kind: ToStackMajor, I: [3]int{p}}, x)
}

// Top returns the first rows of a stack as one row per string, [B, s*rows].
func (b *Builder) Top(s *Node, rows int) *Node {
	if rows < s.Shape()[0] {
		stacks := b.domain[s].Stacks
		s = b.apply(Op{Kind: SliceRows, I: [3]int{0, rows, 1}}, s)
		return b.apply(Op{Kind: FromStackMajor, I: [3]int{stacks}}, s)
	}
	return b.apply(Op{Kind: FromStackMajor, I: [3]int{b.domain[s].Stacks}}, s)
}

// Push returns the stack s, with cells of width p, after a push of v with weight
// push and a pop with weight pop. A pop moves the value empty in at the bottom.
func (b *Builder) Push(s, push, pop, v *Node, p int, empty float64) *Node {
	return b.apply(Op{Kind: Stack, I: [3]int{p}, F: [2]float64{empty}}, s, push, pop, v)
}

// PushNoop is Push with a third weight, noop, that leaves s unchanged.
func (b *Builder) PushNoop(s, push, pop, noop, v *Node, p int, empty float64) *Node {
	return b.apply(Op{Kind: StackNoop, I: [3]int{p}, F: [2]float64{empty}}, s, push, pop, noop, v)
}

// Cells returns rows from to from+n-1 of a stack-major value as one row per string,
// [B, s*n].
func (b *Builder) Cells(s *Node, from, n int) *Node {
	cut := b.apply(Op{Kind: SliceRows, I: [3]int{from, n, 1}}, s)
	return b.apply(Op{Kind: FromStackMajor, I: [3]int{b.domain[s].Stacks}}, cut)
}

// A ListShape describes a list that moves under a fixed head: each cell has Cell
// numbers, the head is at cell Head, and empty cells hold the value Empty.
type ListShape struct {
	Cell, Head int
	Empty      float64
}

// MoveList returns the list s moved left and right with the weights left and right, and
// with v inserted at the head with weight insert. The weight noop, which may be
// nil, leaves the list unchanged.
func (b *Builder) MoveList(t ListShape, s, left, right, insert, noop, v *Node) *Node {
	o := Op{Kind: List, I: [3]int{t.Cell, t.Head}, F: [2]float64{t.Empty}}
	if noop == nil {
		return b.apply(o, s, left, right, insert, v)
	}
	o.Kind = ListNoop
	return b.apply(o, s, left, right, insert, noop, v)
}

// Softmax returns the softmax over each group of n adjacent columns.
func (b *Builder) Softmax(x *Node, n int) *Node {
	return b.apply(Op{Kind: Softmax, I: [3]int{n}}, x)
}

// OneHot returns 1 at the largest of each group of n columns, 0 elsewhere.
func (b *Builder) OneHot(x *Node, n int) *Node {
	return b.apply(Op{Kind: OneHot, I: [3]int{n}}, x)
}

// WeightedSum returns the sum of the blocks of x, weighted by the columns of w.
func (b *Builder) WeightedSum(w, x *Node) *Node {
	return b.apply(Op{Kind: WeightedSum}, w, x)
}

// Gather returns the rows of table with the indices ids.
func (b *Builder) Gather(table, ids *Node) *Node {
	return b.apply(Op{Kind: Gather}, table, ids)
}

// CrossEntropy returns the negative log probability of each target, in nats.
func (b *Builder) CrossEntropy(logits, target *Node) *Node {
	return b.apply(Op{Kind: CrossEntropy}, logits, target)
}
