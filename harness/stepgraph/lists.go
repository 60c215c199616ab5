package stepgraph

import (
	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
)

// lists holds the operations on a tape that moves under a fixed head. A tape is stored
// like a stack, [D, B*s], with the leftmost cell first. The head is at a fixed cell,
// which must have a cell on either side. The action right moves each cell one place to
// the left, so that the head is at the cell that was its right neighbour. The action
// left moves each cell one place to the right. The action insert puts a new cell at the
// head and moves the old one, and all cells to its left, one place to the left. Cells
// that move in from beyond an end hold the empty value.
var lists = map[Kind]rule{
	List: {row: &kernel.Ops[kernel.List], arity: 5, ints: 2, reals: 1,
		doc:   "the tape s moved: right*shift(s,up) + left*shift(s,down) + insert*(v at the head, shift(s,up) before it, s after it); inputs s, left, right, insert, v; I0 is p, I1 the head, F0 the empty value",
		shape: func(o *Op, in []Shape) (Shape, error) { return in[0], listFits(o, in) },
		grad:  listGrad, do: listDo},
	ListNoop: {row: &kernel.Ops[kernel.List], name: "listnoop", arity: 6, ints: 2, reals: 1,
		doc:   "list with a fourth weight, noop, that leaves s unchanged: inputs s, left, right, insert, noop, v; I0 is p, I1 the head, F0 the empty value",
		shape: func(o *Op, in []Shape) (Shape, error) { return in[0], listFits(o, in) },
		grad:  listGrad, do: listDo},
	ListGrad: {row: &kernel.Ops[kernel.ListGrad], doc: "the gradient of list with respect to s; inputs g, left, right, insert; I0 is p, I1 the head", arity: 4, ints: 2,
		shape: func(o *Op, in []Shape) (Shape, error) { return in[0], perColumn(in[0], in[1:]) },
		do:    listGradDo},
	ListNoopGrad: {row: &kernel.Ops[kernel.ListGrad], name: "listnoopgrad", doc: "the gradient of listnoop with respect to s; inputs g, left, right, insert, noop; I0 is p, I1 the head", arity: 5, ints: 2,
		shape: func(o *Op, in []Shape) (Shape, error) { return in[0], perColumn(in[0], in[1:]) },
		do:    listGradDo},
	ListGradLeft: {row: &kernel.Ops[kernel.ListGrad], name: "listgradleft", doc: "[B, s]: the gradient of list with respect to left; inputs g, s; I0 is p, I1 is s, F0 the empty value", arity: 2, ints: 2, reals: 1,
		shape: listSum,
		do: func(o *Op, in []Mat, out Mat) {
			for i, g := range in[0].Data {
				r, c := i/in[0].Cols, i%in[0].Cols
				out.Data[c] += g * o.cell(in[1], r-o.I[0], c)
			}
		}},
	ListGradRight: {row: &kernel.Ops[kernel.ListGrad], name: "listgradright", doc: "[B, s]: the gradient of list with respect to right; inputs g, s; I0 is p, I1 is s, F0 the empty value", arity: 2, ints: 2, reals: 1,
		shape: listSum,
		do: func(o *Op, in []Mat, out Mat) {
			for i, g := range in[0].Data {
				r, c := i/in[0].Cols, i%in[0].Cols
				out.Data[c] += g * o.cell(in[1], r+o.I[0], c)
			}
		}},
	ListGradInsert: {row: &kernel.Ops[kernel.ListGrad], name: "listgradinsert", doc: "[B, s]: the gradient of list with respect to insert; inputs g, s, v; I0 is p, I1 is s, I2 the head", arity: 3, ints: 3,
		shape: listSum,
		do: func(o *Op, in []Mat, out Mat) {
			for i, g := range in[0].Data {
				r, c := i/in[0].Cols, i%in[0].Cols
				out.Data[c] += g * o.inserted(in[1], in[2], o.I[2], r, c)
			}
		}},
}

// cell returns the element of s in row r and column c. If r is beyond an end of s, it
// returns the empty value.
func (o *Op) cell(s Mat, r, c int) float64 {
	if r < 0 || r >= s.Rows {
		return o.F[0]
	}
	return s.At(r, c)
}

// inserted returns the element of s in row r and column c after v is inserted at the
// head.
func (o *Op) inserted(s, v Mat, head, r, c int) float64 {
	p := o.I[0]
	switch from := head * p; {
	case r < from:
		return s.At(r+p, c)
	case r < from+p:
		return v.At(r-from, c)
	}
	return s.At(r, c)
}

func listDo(o *Op, in []Mat, out Mat) {
	s, left, right, insert, v := in[0], in[1], in[2], in[3], in[len(in)-1]
	for r := range out.Rows {
		for c := range out.Cols {
			x := right.Data[c]*o.cell(s, r+o.I[0], c) + left.Data[c]*o.cell(s, r-o.I[0], c) + insert.Data[c]*o.inserted(s, v, o.I[1], r, c)
			if len(in) > 5 {
				x += in[4].Data[c] * s.At(r, c)
			}
			out.Set(r, c, x)
		}
	}
}

// listGradDo computes the gradient with respect to the tape before the move. The first
// input, g, is the gradient with respect to the tape after the move. If an action moves the
// contents of cell i to cell j, the gradient of cell j, times the weight of the action, is
// added to the gradient of cell i.
func listGradDo(o *Op, in []Mat, out Mat) {
	g, p, head := in[0], o.I[0], o.I[1]*o.I[0]
	add := func(r, c int, x float64) {
		if r >= 0 && r < out.Rows {
			out.Set(r, c, out.At(r, c)+x)
		}
	}
	for r := range g.Rows {
		for c := range g.Cols {
			left, right, insert, x := in[1].Data[c], in[2].Data[c], in[3].Data[c], g.At(r, c)
			add(r+p, c, right*x)
			add(r-p, c, left*x)
			switch {
			case r < head:
				add(r+p, c, insert*x)
			case r >= head+p:
				add(r, c, insert*x)
			}
			if len(in) > 4 {
				add(r, c, in[4].Data[c]*x)
			}
		}
	}
}

func listGrad(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
	s, left, right, insert, v := in[0], in[1], in[2], in[3], in[len(in)-1]
	p, head := o.I[0], o.I[1]
	weights := append(gorgonia.Nodes{g}, in[1:len(in)-1]...)
	kind := ListGrad
	if o.Kind == ListNoop {
		kind = ListNoopGrad
	}
	atHead := o.b.apply(Op{Kind: SliceRows, I: [3]int{head * p, p, 1}}, g)
	ds := gorgonia.Nodes{
		o.b.apply(Op{Kind: kind, I: o.I}, weights...),
		o.b.apply(Op{Kind: ListGradLeft, I: [3]int{p, left.Shape()[1]}, F: o.F}, g, s),
		o.b.apply(Op{Kind: ListGradRight, I: [3]int{p, right.Shape()[1]}, F: o.F}, g, s),
		o.b.apply(Op{Kind: ListGradInsert, I: [3]int{p, insert.Shape()[1], head}}, g, s, v),
	}
	if o.Kind == ListNoop {
		ds = append(ds, o.colDot(in[4], g, s))
	}
	return append(ds, o.b.apply(Op{Kind: ScaleCols}, atHead, insert))
}

// listFits checks the shapes of a tape, its weights and the inserted value, and
// that there is a cell on either side of the head.
func listFits(o *Op, in []Shape) error {
	s, v := in[0], in[len(in)-1]
	if err := stackFits(o, s, v, in[1:len(in)-1]); err != nil {
		return err
	}
	cells := s.Rows / o.I[0]
	return want(o.I[1] >= 1 && o.I[1] < cells-1, "head at cell %d of %d, want one on either side", o.I[1], cells)
}

func listSum(o *Op, in []Shape) (Shape, error) {
	if o.I[1] < 1 || in[0].Cols%o.I[1] != 0 {
		return Shape{}, want(false, "%d columns are no multiple of %d", in[0].Cols, o.I[1])
	}
	if len(in) == 3 {
		if err := stackFits(o, in[1], in[2], nil); err != nil {
			return Shape{}, err
		}
	}
	return Shape{in[0].Cols / o.I[1], o.I[1]}, want(in[0] == in[1], "want equal shapes")
}
