package stepgraph

import (
	"fmt"

	"gorgonia.org/gorgonia"
)

// shaping holds the operations that copy parts of values. SliceCols copies I[1] columns of
// its input: those with the indices I[0], I[0]+I[2], I[0]+2*I[2] and so on. PadCols does
// the reverse: it returns I[1] columns, of which those with such indices are its input, and
// the others are 0. AddAtCols adds its second input to the columns of the first that have
// such indices. There are similar operations on rows.
var shaping = map[Kind]rule{
	ConcatCols: {name: "concatcols", doc: "I0 values side by side", arity: -1, ints: 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			s := in[0]
			for _, x := range in[1:] {
				if x.Rows != s.Rows {
					return s, fmt.Errorf("want equal numbers of rows")
				}
				s.Cols += x.Cols
			}
			return s, nil
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			ds, at := make(gorgonia.Nodes, len(in)), 0
			for i, x := range in {
				ds[i] = o.b.apply(Op{Kind: SliceCols, I: [3]int{at, x.Shape()[1], 1}}, g)
				at += x.Shape()[1]
			}
			return ds
		},
		do: func(o *Op, in []Mat, out Mat) {
			at := 0
			for _, x := range in {
				for r := range x.Rows {
					copy(out.Data[r*out.Cols+at:], x.Data[r*x.Cols:(r+1)*x.Cols])
				}
				at += x.Cols
			}
		}},
	ConcatRows: {name: "concatrows", doc: "I0 values stacked on top of each other", arity: -1, ints: 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			s := in[0]
			for _, x := range in[1:] {
				if x.Cols != s.Cols {
					return s, fmt.Errorf("want equal numbers of columns")
				}
				s.Rows += x.Rows
			}
			return s, nil
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			ds, at := make(gorgonia.Nodes, len(in)), 0
			for i, x := range in {
				ds[i] = o.b.apply(Op{Kind: SliceRows, I: [3]int{at, x.Shape()[0], 1}}, g)
				at += x.Shape()[0]
			}
			return ds
		},
		do: func(o *Op, in []Mat, out Mat) {
			at := 0
			for _, x := range in {
				at += copy(out.Data[at:], x.Data)
			}
		}},
	SliceCols: {name: "slicecols", doc: "I1 columns, starting at I0, I2 apart", arity: 1, ints: 3,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{in[0].Rows, o.I[1]}, sliceFits(o, in[0].Cols)
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: PadCols, I: [3]int{o.I[0], in[0].Shape()[1], o.I[2]}}, g)}
		},
		do: func(o *Op, in []Mat, out Mat) {
			for r := range out.Rows {
				for c := range out.Cols {
					out.Set(r, c, in[0].At(r, o.I[0]+c*o.I[2]))
				}
			}
		}},
	PadCols: {name: "padcols", doc: "I1 columns of zeros with x written into them, starting at column I0, I2 apart", arity: 1, ints: 3,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{in[0].Rows, o.I[1]}, partFits(o, in[0].Cols, o.I[1])
		},
		do: func(o *Op, in []Mat, out Mat) {
			for r := range in[0].Rows {
				for c := range in[0].Cols {
					out.Set(r, o.I[0]+c*o.I[2], in[0].At(r, c))
				}
			}
		}},
	AddAtCols: {name: "addatcols", doc: "x with y added to the columns starting at I0, I2 apart", arity: 2, ints: 3,
		shape: func(o *Op, in []Shape) (Shape, error) {
			if in[0].Rows != in[1].Rows {
				return in[0], fmt.Errorf("want equal numbers of rows")
			}
			return in[0], partFits(o, in[1].Cols, in[0].Cols)
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{g, o.b.apply(Op{Kind: SliceCols, I: [3]int{o.I[0], in[1].Shape()[1], o.I[2]}}, g)}
		},
		do: func(o *Op, in []Mat, out Mat) {
			copy(out.Data, in[0].Data)
			for r := range in[1].Rows {
				for c := range in[1].Cols {
					at := o.I[0] + c*o.I[2]
					out.Set(r, at, out.At(r, at)+in[1].At(r, c))
				}
			}
		}},
	SliceRows: {name: "slicerows", doc: "I1 rows, starting at I0 (I2 is 1)", arity: 1, ints: 3,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{o.I[1], in[0].Cols}, sliceFits(o, in[0].Rows)
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: PadRows, I: [3]int{o.I[0], in[0].Shape()[0], 1}}, g)}
		},
		do: func(o *Op, in []Mat, out Mat) {
			copy(out.Data, in[0].Data[o.I[0]*out.Cols:])
		}},
	PadRows: {name: "padrows", doc: "I1 rows of zeros with x written into them, starting at row I0 (I2 is 1)", arity: 1, ints: 3,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{o.I[1], in[0].Cols}, partFits(o, in[0].Rows, o.I[1])
		},
		do: func(o *Op, in []Mat, out Mat) {
			copy(out.Data[o.I[0]*out.Cols:], in[0].Data)
		}},
	AddAtRows: {name: "addatrows", doc: "x with y added to the rows starting at I0 (I2 is 1)", arity: 2, ints: 3,
		shape: func(o *Op, in []Shape) (Shape, error) {
			if in[0].Cols != in[1].Cols {
				return in[0], fmt.Errorf("want equal numbers of columns")
			}
			return in[0], partFits(o, in[1].Rows, in[0].Rows)
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{g, o.b.apply(Op{Kind: SliceRows, I: [3]int{o.I[0], in[1].Shape()[0], 1}}, g)}
		},
		do: func(o *Op, in []Mat, out Mat) {
			copy(out.Data, in[0].Data)
			for i, y := range in[1].Data {
				out.Data[o.I[0]*out.Cols+i] += y
			}
		}},
}

// sliceFits checks that a slice lies within a value that has the given total of rows or
// columns. The slice has I[1] rows or columns, starts at index I[0] and has step I[2].
func sliceFits(o *Op, total int) error {
	return want(o.I[0] >= 0 && o.I[1] > 0 && o.I[2] > 0 && o.I[0]+(o.I[1]-1)*o.I[2] < total,
		"slice reaches outside 0..%d", total-1)
}

// partFits is like sliceFits, for an operation that writes into a part of a value. The part
// has the given count of rows or columns.
func partFits(o *Op, count, total int) error {
	return want(o.I[0] >= 0 && o.I[2] > 0 && o.I[0]+(count-1)*o.I[2] < total,
		"part of %d reaches outside 0..%d", count, total-1)
}
