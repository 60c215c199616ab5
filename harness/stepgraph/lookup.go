package stepgraph

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
)

// lookup holds the operations that read indices: embeddings, the selection of the rows
// that predictions are made from, and the loss.
var lookup = map[Kind]rule{
	Gather: {row: &kernel.Ops[kernel.Gather], doc: "row i is row ids[i] of the table; inputs table [V, n], ids [B, 1]", arity: 2, noGrad: 1 << 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{in[1].Rows, in[0].Cols}, want(in[1].Cols == 1, "want one index per row")
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: ScatterAdd, I: [3]int{in[0].Shape()[0]}}, g, in[1]), nil}
		},
		do: func(o *Op, in []Mat, out Mat) {
			for r := range out.Rows {
				copy(out.Data[r*out.Cols:(r+1)*out.Cols], in[0].Data[in[1].index(r, in[0].Rows)*out.Cols:])
			}
		}},
	ScatterAdd: {row: &kernel.Ops[kernel.ScatterAdd], doc: "[I0, n]: row v is the sum of the rows i of g with ids[i] = v, over all steps", arity: 2, ints: 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{o.I[0], in[0].Cols}, want(in[1] == Shape{in[0].Rows, 1}, "want one index per row")
		},
		do: func(o *Op, in []Mat, out Mat) {
			for r := range in[0].Rows {
				at := in[1].index(r, o.I[0])
				for c := range out.Cols {
					out.Data[at*out.Cols+c] += in[0].At(r, c)
				}
			}
		}},
	GatherRows: {row: &kernel.Ops[kernel.Gather], name: "gatherrows", doc: "[E, n]: example i is row idx[i] of the rows of all steps; no row is picked twice", arity: 2, noGrad: 1 << 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{in[1].Rows, in[0].Cols}, want(in[1].Cols == 1, "want one index per row")
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: ScatterRows, I: [3]int{in[0].Shape()[0]}}, g, in[1]), nil}
		},
		do: func(o *Op, in []Mat, out Mat) {
			for r := range out.Rows {
				copy(out.Data[r*out.Cols:(r+1)*out.Cols], in[0].Data[in[1].index(r, in[0].Rows)*out.Cols:])
			}
		}},
	ScatterRows: {row: &kernel.Ops[kernel.ScatterRows], doc: "a step value of I0 rows: row idx[i] of the rows of all steps is g[i], the others are 0", arity: 2, ints: 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{o.I[0], in[0].Cols}, want(in[1] == Shape{in[0].Rows, 1}, "want one index per row")
		},
		do: func(o *Op, in []Mat, out Mat) {
			for r := range in[0].Rows {
				copy(out.Data[in[1].index(r, o.I[0])*out.Cols:], in[0].Data[r*out.Cols:(r+1)*out.Cols])
			}
		}},
	CrossEntropy: {row: &kernel.Ops[kernel.CrossEntropy], doc: "[E, 1]: log of the sum of exp over each row of x, less x[target]; in nats", arity: 2, noGrad: 1 << 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{in[0].Rows, 1}, want(in[1] == Shape{in[0].Rows, 1}, "want one target per row")
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: CrossEntropyGrad}, in[0], in[1], g), nil}
		},
		do: func(o *Op, in []Mat, out Mat) {
			for r := range out.Rows {
				m, sum := in[0].rowExp(r)
				out.Data[r] = math.Log(sum) - (in[0].At(r, in[1].index(r, in[0].Cols)) - m)
			}
		}},
	CrossEntropyGrad: {row: &kernel.Ops[kernel.CrossEntropyGrad], doc: "(softmax x - onehot target) * g; inputs x [E, K], target [E, 1], g [E, 1]", arity: 3,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return in[0], want(in[1] == Shape{in[0].Rows, 1} && in[2] == Shape{in[0].Rows, 1}, "want one target and one g per row")
		},
		do: func(o *Op, in []Mat, out Mat) {
			for r := range out.Rows {
				m, sum := in[0].rowExp(r)
				target := in[1].index(r, in[0].Cols)
				for c := range out.Cols {
					p := math.Exp(in[0].At(r, c)-m) / sum
					if c == target {
						p--
					}
					out.Set(r, c, p*in[2].Data[r])
				}
			}
		}},
}

// index returns the index in row r. It panics if the index is outside 0..n-1.
func (m Mat) index(r, n int) int {
	i := int(m.Data[r*m.Cols])
	if i < 0 || i >= n {
		panic(fmt.Sprintf("index %d in row %d is outside 0..%d", i, r, n-1))
	}
	return i
}

// rowExp returns the maximum of row r, and the sum of exp(x - maximum) over its
// elements x.
func (m Mat) rowExp(r int) (top, sum float64) {
	row := m.Data[r*m.Cols : (r+1)*m.Cols]
	top = row[0]
	for _, x := range row {
		top = max(top, x)
	}
	for _, x := range row {
		sum += math.Exp(x - top)
	}
	return top, sum
}
