package stepgraph

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"
)

// elementwise are the operations that take values of one shape and give that
// shape.
var elementwise = map[Kind]rule{
	Copy: {name: "copy", doc: "x", arity: 1, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes { return gorgonia.Nodes{g} },
		do:   each(func(o *Op, x []float64) float64 { return x[0] })},
	Add: {name: "add", doc: "x + y", arity: 2, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes { return gorgonia.Nodes{g, g} },
		do:   each(func(o *Op, x []float64) float64 { return x[0] + x[1] })},
	Sub: {name: "sub", doc: "x - y", arity: 2, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{g, o.b.apply(Op{Kind: Neg}, g)}
		},
		do: each(func(o *Op, x []float64) float64 { return x[0] - x[1] })},
	Mul: {name: "mul", doc: "x * y, element by element", arity: 2, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: Mul}, g, in[1]), o.b.apply(Op{Kind: Mul}, g, in[0])}
		},
		do: each(func(o *Op, x []float64) float64 { return x[0] * x[1] })},
	Neg: {name: "neg", doc: "-x", arity: 1, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: Neg}, g)}
		},
		do: each(func(o *Op, x []float64) float64 { return -x[0] })},
	OneMinus: {name: "oneminus", doc: "1 - x", arity: 1, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: Neg}, g)}
		},
		do: each(func(o *Op, x []float64) float64 { return 1 - x[0] })},
	Scale: {name: "scale", doc: "x times the constant F0", arity: 1, reals: 1, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: Scale, F: o.F}, g)}
		},
		do: each(func(o *Op, x []float64) float64 { return x[0] * o.F[0] })},
	Sigmoid: {name: "sigmoid", doc: "1 / (1 + exp(-x))", arity: 1, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: SigmoidGrad}, out, g)}
		},
		do: each(func(o *Op, x []float64) float64 { return 1 / (1 + math.Exp(-x[0])) })},
	Tanh: {name: "tanh", doc: "tanh x", arity: 1, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: TanhGrad}, out, g)}
		},
		do: each(func(o *Op, x []float64) float64 { return math.Tanh(x[0]) })},
	SigmoidGrad: {name: "sigmoidgrad", doc: "g * (y * (1 - y)) of y = sigmoid x", arity: 2, shape: sameShape,
		do: each(func(o *Op, x []float64) float64 { return x[1] * (x[0] * (1 - x[0])) })},
	TanhGrad: {name: "tanhgrad", doc: "g * (1 - y*y) of y = tanh x", arity: 2, shape: sameShape,
		do: each(func(o *Op, x []float64) float64 { return x[1] * (1 - x[0]*x[0]) })},
	StopGrad: {name: "stopgrad", doc: "x, through which no gradient flows", arity: 1, shape: sameShape,
		do: each(func(o *Op, x []float64) float64 { return x[0] })},
	ClipGrad: {name: "clipgrad", doc: "x, whose gradient is clipped to [-F0, F0] element by element", arity: 1, reals: 1, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: Clip, F: [2]float64{-o.F[0], o.F[0]}}, g)}
		},
		do: each(func(o *Op, x []float64) float64 { return x[0] })},
	Clip: {name: "clip", doc: "x held within [F0, F1], through which a gradient flows unchanged", arity: 1, reals: 2, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes { return gorgonia.Nodes{g} },
		do:   each(func(o *Op, x []float64) float64 { return min(max(x[0], o.F[0]), o.F[1]) })},
	FlushGrad: {name: "flushgrad", doc: "x, of whose gradient the elements of a magnitude below F0 are dropped", arity: 1, reals: 1, shape: sameShape,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: FlushSmall, F: o.F}, g)}
		},
		do: each(func(o *Op, x []float64) float64 { return x[0] })},
	FlushSmall: {name: "flushsmall", doc: "0 where |x| < F0, else x; no gradient", arity: 1, reals: 1, shape: sameShape,
		do: each(func(o *Op, x []float64) float64 {
			if math.Abs(x[0]) < o.F[0] {
				return 0
			}
			return x[0]
		})},
	Threshold: {name: "threshold", doc: "1 where x > F0, else 0; no gradient", arity: 1, reals: 1, shape: sameShape,
		do: each(func(o *Op, x []float64) float64 {
			if x[0] > o.F[0] {
				return 1
			}
			return 0
		})},
}

func sameShape(o *Op, in []Shape) (Shape, error) {
	for _, s := range in[1:] {
		if s != in[0] {
			return Shape{}, fmt.Errorf("want equal shapes")
		}
	}
	return in[0], nil
}

// each makes the computation of an elementwise operation of its scalar form.
func each(f func(o *Op, x []float64) float64) func(*Op, []Mat, Mat) {
	return func(o *Op, in []Mat, out Mat) {
		x := make([]float64, len(in))
		for i := range out.Data {
			for j := range in {
				x[j] = in[j].Data[i]
			}
			out.Data[i] = f(o, x)
		}
	}
}
