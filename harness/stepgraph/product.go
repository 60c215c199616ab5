package stepgraph

import (
	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
)

// product holds the matrix product. Its attribute I[0] is 1 if the left factor is
// transposed, and I[1] is 1 if the right factor is transposed.
var product = map[Kind]rule{
	MatMul: {row: &kernel.Ops[kernel.MatMul], arity: 2, ints: 2,
		doc: "the matrix product x y; x is transposed if I0 is 1, y if I1 is 1; a transposed step value x sums over all steps",
		shape: func(o *Op, in []Shape) (Shape, error) {
			a, b := in[0], in[1]
			if o.I[0] == 1 {
				a.Rows, a.Cols = a.Cols, a.Rows
			}
			if o.I[1] == 1 {
				b.Rows, b.Cols = b.Cols, b.Rows
			}
			return Shape{a.Rows, b.Cols}, want(a.Cols == b.Rows, "inner sizes %d and %d differ", a.Cols, b.Rows)
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			mul := func(ta, tb int, x, y *Node) *Node {
				return o.b.apply(Op{Kind: MatMul, I: [3]int{ta, tb}}, x, y)
			}
			a, b := in[0], in[1]
			switch {
			case o.I[0] == 0 && o.I[1] == 0:
				return gorgonia.Nodes{mul(0, 1, g, b), mul(1, 0, a, g)}
			case o.I[0] == 0:
				return gorgonia.Nodes{mul(0, 0, g, b), mul(1, 0, g, a)}
			case o.I[1] == 0:
				return gorgonia.Nodes{mul(0, 1, b, g), mul(0, 0, a, g)}
			}
			return gorgonia.Nodes{mul(1, 1, b, g), mul(1, 1, g, a)}
		},
		do: func(o *Op, in []Mat, out Mat) {
			inner := in[0].Cols
			if o.I[0] == 1 {
				inner = in[0].Rows
			}
			for r := range out.Rows {
				for c := range out.Cols {
					sum := 0.0
					for k := range inner {
						ar, ac, br, bc := r, k, k, c
						if o.I[0] == 1 {
							ar, ac = ac, ar
						}
						if o.I[1] == 1 {
							br, bc = bc, br
						}
						sum += in[0].At(ar, ac) * in[1].At(br, bc)
					}
					out.Set(r, c, sum)
				}
			}
		}},
}
