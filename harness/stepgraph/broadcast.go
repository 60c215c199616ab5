package stepgraph

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
)

// broadcast holds the operations between a matrix and a vector or scalar, and the
// sums that are their gradients.
var broadcast = map[Kind]rule{
	MulOne: {row: &kernel.Ops[kernel.MulOne], doc: "x times the run-time scalar w, 1x1, which gets no gradient", noGrad: 1 << 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return in[0], want(in[1] == Shape{1, 1}, "want 1x1 as second input")
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: MulOne}, g, in[1]), nil}
		}},
	AddRow: {row: &kernel.Ops[kernel.AddRow], doc: "x with the row w, 1xn, added to each row", shape: rowShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{g, o.b.apply(Op{Kind: ColSum}, g)}
		}},
	MulRow: {row: &kernel.Ops[kernel.MulRow], doc: "x with each row multiplied by the row w, 1xn", shape: rowShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: MulRow}, g, in[1]),
				o.b.apply(Op{Kind: ColSum}, o.b.apply(Op{Kind: Mul}, g, in[0]))}
		}},
	MulCol: {row: &kernel.Ops[kernel.MulCol], doc: "x with each column multiplied by the column w, Bx1",
		shape: func(o *Op, in []Shape) (Shape, error) {
			return in[0], want(in[1] == Shape{in[0].Rows, 1}, "want a column of %d as second input", in[0].Rows)
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: MulCol}, g, in[1]), o.b.apply(Op{Kind: RowDot}, g, in[0])}
		}},
	RowDot: {row: &kernel.Ops[kernel.RowDot], doc: "Bx1: the sum over each row of x * y", arity: 2,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{in[0].Rows, 1}, want(in[0] == in[1], "want equal shapes")
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: MulCol}, in[1], g), o.b.apply(Op{Kind: MulCol}, in[0], g)}
		},
		do: func(o *Op, in []Mat, out Mat) {
			for i, x := range in[0].Data {
				out.Data[i/in[0].Cols] += x * in[1].Data[i]
			}
		}},
	ColSum: {row: &kernel.Ops[kernel.ColSum], doc: "1xn: the sum over the rows; over all steps if x is a step value", arity: 1,
		shape: func(o *Op, in []Shape) (Shape, error) { return Shape{1, in[0].Cols}, nil },
		do: func(o *Op, in []Mat, out Mat) {
			for i, x := range in[0].Data {
				out.Data[i%in[0].Cols] += x
			}
		}},
}

func rowShape(o *Op, in []Shape) (Shape, error) {
	return in[0], want(in[1] == Shape{1, in[0].Cols}, "want a row of %d as second input", in[0].Cols)
}

// want returns nil if ok is true, and otherwise an error with the given message.
func want(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// cells returns an implementation of an operation. It sets element (r, c) of the result
// to f(in, r, c).
func cells(f func(in []Mat, r, c int) float64) func(*Op, []Mat, Mat) {
	return func(o *Op, in []Mat, out Mat) {
		for r := range out.Rows {
			for c := range out.Cols {
				out.Set(r, c, f(in, r, c))
			}
		}
	}
}
