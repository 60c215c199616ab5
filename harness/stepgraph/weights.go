package stepgraph

import (
	"math"

	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
)

// weights holds the operations of attention over a few choices: softmax over groups
// of adjacent columns, a one-hot maximum over such groups, and weighted sums of blocks
// of columns.
var weights = map[Kind]rule{
	Softmax: {row: &kernel.Ops[kernel.Softmax], doc: "softmax over each group of I0 adjacent columns", arity: 1, ints: 1, shape: groupShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: SoftmaxGrad, I: o.I}, out, g)}
		},
		do: groups(func(x, _, out []float64) {
			m := x[0]
			for _, v := range x {
				m = max(m, v)
			}
			sum := 0.0
			for i, v := range x {
				out[i] = math.Exp(v - m)
				sum += out[i]
			}
			for i := range out {
				out[i] /= sum
			}
		})},
	SoftmaxGrad: {row: &kernel.Ops[kernel.SoftmaxGrad], doc: "y * (g - sum of y*g over the group of I0 columns), where y = softmax x", arity: 2, ints: 1, shape: groupShape,
		do: groups(func(y, g, out []float64) {
			dot := 0.0
			for i := range y {
				dot += y[i] * g[i]
			}
			for i := range y {
				out[i] = y[i] * (g[i] - dot)
			}
		})},
	OneHot: {row: &kernel.Ops[kernel.OneHot], doc: "1 at the largest of each group of I0 columns (the first of equals), else 0; no gradient", arity: 1, ints: 1, shape: groupShape,
		do: groups(func(x, _, out []float64) {
			best := 0
			for i, v := range x {
				if v > x[best] {
					best = i
				}
			}
			out[best] = 1
		})},
	WeightedSum: {row: &kernel.Ops[kernel.WeightedSum], doc: "[B, n]: the sum over a of w[a] * x[a*n : (a+1)*n]; inputs w [B, A], x [B, A*n]", arity: 2,
		shape: func(o *Op, in []Shape) (Shape, error) {
			if in[1].Cols%in[0].Cols != 0 || in[0].Rows != in[1].Rows {
				return Shape{}, want(false, "want x of A blocks for w of A columns")
			}
			return Shape{in[0].Rows, in[1].Cols / in[0].Cols}, nil
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: WeightedSumGradW}, in[1], g), o.b.apply(Op{Kind: WeightedSumGradX}, in[0], g)}
		},
		do: func(o *Op, in []Mat, out Mat) {
			for r := range in[1].Rows {
				for c := range in[1].Cols {
					out.Data[r*out.Cols+c%out.Cols] += in[0].At(r, c/out.Cols) * in[1].At(r, c)
				}
			}
		}},
	WeightedSumGradW: {row: &kernel.Ops[kernel.WeightedSumGradW], doc: "[B, A]: the sum over each block of x * g; inputs x [B, A*n], g [B, n]", arity: 2,
		shape: func(o *Op, in []Shape) (Shape, error) {
			if in[0].Cols%in[1].Cols != 0 || in[0].Rows != in[1].Rows {
				return Shape{}, want(false, "want x of whole blocks of the width of g")
			}
			return Shape{in[0].Rows, in[0].Cols / in[1].Cols}, nil
		},
		do: func(o *Op, in []Mat, out Mat) {
			n := in[1].Cols
			for r := range in[0].Rows {
				for c := range in[0].Cols {
					out.Data[r*out.Cols+c/n] += in[0].At(r, c) * in[1].At(r, c%n)
				}
			}
		}},
	WeightedSumGradX: {row: &kernel.Ops[kernel.WeightedSumGradX], doc: "[B, A*n]: block a is w[a] * g; inputs w [B, A], g [B, n]", arity: 2,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{in[0].Rows, in[0].Cols * in[1].Cols}, want(in[0].Rows == in[1].Rows, "want equal numbers of rows")
		},
		do: cells(func(in []Mat, r, c int) float64 {
			return in[0].At(r, c/in[1].Cols) * in[1].At(r, c%in[1].Cols)
		})},
}

func groupShape(o *Op, in []Shape) (Shape, error) {
	if o.I[0] < 1 || in[0].Cols%o.I[0] != 0 {
		return Shape{}, want(false, "%d columns are no multiple of %d", in[0].Cols, o.I[0])
	}
	return sameShape(o, in)
}

// groups returns an implementation of an operation. It calls f for each group of I[0]
// columns. The parameters x and y of f are the group in the two inputs. The function f fills
// its parameter out, which is the group in the result. If the operation has only one input,
// y is nil.
func groups(f func(x, y, out []float64)) func(*Op, []Mat, Mat) {
	return func(o *Op, in []Mat, out Mat) {
		n := o.I[0]
		for at := 0; at < len(out.Data); at += n {
			var y []float64
			if len(in) > 1 {
				y = in[1].Data[at : at+n]
			}
			f(in[0].Data[at:at+n], y, out.Data[at:at+n])
		}
	}
}
