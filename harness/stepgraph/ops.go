package stepgraph

// The methods in this file add one or a few operations to the graph. The variable table
// defines the shapes and the meaning of each operation.

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

// Slice returns n columns of x. The parameter from is the index of the first one, and step
// is the distance between the indices of successive ones.
func (b *Builder) Slice(x *Node, from, n, step int) *Node {
	return b.apply(Op{Kind: SliceCols, I: [3]int{from, n, step}}, x)
}

// AddTop adds x to the first rows of s and returns the result. s is stack-major: it has one
// column for each stack.
func (b *Builder) AddTop(s, x *Node) *Node {
	return b.apply(Op{Kind: AddAtRows, I: [3]int{0, 0, 1}}, s, x)
}

// Split divides the columns of x into n equal parts.
func (b *Builder) Split(x *Node, n int) []*Node {
	b.need("split: value", x)
	if n < 1 || x.Shape()[1]%n != 0 {
		fail("split of %s: want a width that is a multiple of %d", b.describe(x), n)
	}
	w := x.Shape()[1] / n
	parts := make([]*Node, n)
	for i := range parts {
		parts[i] = b.Slice(x, i*w, w, 1)
	}
	return parts
}

// ToStackMajor rearranges x, which has one row per string, as a stack-major value, which
// has one column per stack. A row of x holds p numbers for each stack of its string; they
// become the p rows of the column of this stack.
func (b *Builder) ToStackMajor(x *Node, p int) *Node {
	return b.apply(Op{Kind: ToStackMajor, I: [3]int{p}}, x)
}

// Top returns the topmost rows of each stack, as one row per string. The last parameter is
// the number of rows to take from a stack.
func (b *Builder) Top(s *Node, rows int) *Node {
	if b.need("top: value", s); rows != s.Shape()[0] {
		return b.Cells(s, 0, rows)
	}
	return b.apply(Op{Kind: FromStackMajor, I: [3]int{b.domain[s].Stacks}}, s)
}

// Push returns a sum of two stacks: s after v is pushed, times the weight push; and s after
// a pop, times the weight pop. A cell consists of p rows. The last argument is the value of
// empty cells, which a pop moves into the bottom cell.
func (b *Builder) Push(s, push, pop, v *Node, p int, empty float64) *Node {
	return b.apply(Op{Kind: Stack, I: [3]int{p}, F: [2]float64{empty}}, s, push, pop, v)
}

// PushNoop is like Push, but the sum has a third term: noop times the unchanged s.
func (b *Builder) PushNoop(s, push, pop, noop, v *Node, p int, empty float64) *Node {
	return b.apply(Op{Kind: StackNoop, I: [3]int{p}, F: [2]float64{empty}}, s, push, pop, noop, v)
}

// Cells returns n adjacent rows of s, which is stack-major, as one row per string. The
// parameter from is the index of the first of these rows.
func (b *Builder) Cells(s *Node, from, n int) *Node {
	b.need("cells: value", s)
	cut := b.apply(Op{Kind: SliceRows, I: [3]int{from, n, 1}}, s)
	return b.apply(Op{Kind: FromStackMajor, I: [3]int{b.domain[s].Stacks}}, cut)
}

// A ListShape describes a list that moves under a fixed head.
type ListShape struct {
	Cell  int     // numbers per cell
	Head  int     // index of the cell at the head
	Empty float64 // value of empty cells
}

// MoveList returns a sum of three lists: s after a move to the left, times the weight left;
// s after a move to the right, times the weight right; and s after v is inserted at the
// head, times the weight insert. If noop is not nil, MoveList adds noop times the unchanged
// s. The comment of the variable lists describes the three actions.
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

// OneHot returns, for each group of n adjacent columns, 1 in the column of the largest
// element and 0 in the other columns.
func (b *Builder) OneHot(x *Node, n int) *Node {
	return b.apply(Op{Kind: OneHot, I: [3]int{n}}, x)
}

// WeightedSum divides the columns of x into as many blocks of equal width as w has
// columns. It returns a weighted sum of these blocks: in each row, block a has the weight
// that w has in column a.
func (b *Builder) WeightedSum(w, x *Node) *Node {
	return b.apply(Op{Kind: WeightedSum}, w, x)
}

// Gather returns one row of table for each index in ids.
func (b *Builder) Gather(table, ids *Node) *Node {
	return b.apply(Op{Kind: Gather}, table, ids)
}

// CrossEntropy returns the negative log probability of each target, in nats.
func (b *Builder) CrossEntropy(logits, target *Node) *Node {
	return b.apply(Op{Kind: CrossEntropy}, logits, target)
}
