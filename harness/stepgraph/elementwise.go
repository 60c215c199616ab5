package stepgraph

import (
	"fmt"

	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
)

// elementwise holds the operations whose inputs and result all have the same shape. An
// entry gives the gradient of the operation, if there is one, and sometimes its name and
// meaning. The method ofRow takes everything else from the row of [kernel.Ops].
var elementwise = map[Kind]rule{
	Copy: {row: &kernel.Ops[kernel.Copy],
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes { return gorgonia.Nodes{g} }},
	Add: {row: &kernel.Ops[kernel.Add],
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes { return gorgonia.Nodes{g, g} }},
	Sub: {row: &kernel.Ops[kernel.Sub],
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{g, o.b.apply(Op{Kind: Neg}, g)}
		}},
	Mul: {row: &kernel.Ops[kernel.Mul],
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: Mul}, g, in[1]), o.b.apply(Op{Kind: Mul}, g, in[0])}
		}},
	Neg: {row: &kernel.Ops[kernel.Neg],
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: Neg}, g)}
		}},
	OneMinus: {row: &kernel.Ops[kernel.OneMinus],
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: Neg}, g)}
		}},
	Scale: {row: &kernel.Ops[kernel.Scale],
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: Scale, F: o.F}, g)}
		}},
	Sigmoid: {row: &kernel.Ops[kernel.Sigmoid],
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: SigmoidGrad}, out, g)}
		}},
	Tanh: {row: &kernel.Ops[kernel.Tanh],
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: TanhGrad}, out, g)}
		}},
	SigmoidGrad: {row: &kernel.Ops[kernel.SigmoidGrad]},
	TanhGrad:    {row: &kernel.Ops[kernel.TanhGrad]},
	StopGrad:    {row: &kernel.Ops[kernel.Copy], name: "stopgrad", doc: "x as a constant: no gradient flows through it"},
	ClipGrad: {row: &kernel.Ops[kernel.Copy], name: "clipgrad", doc: "x; its gradient is clipped to [-F0, F0] element by element", reals: 1,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: Clip, F: [2]float64{-o.F[0], o.F[0]}}, g)}
		}},
	Clip: {row: &kernel.Ops[kernel.Clip], doc: "x clamped to [F0, F1]; the gradient flows through unchanged",
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes { return gorgonia.Nodes{g} }},
	FlushGrad: {row: &kernel.Ops[kernel.Copy], name: "flushgrad", doc: "x; elements of its gradient with a magnitude below F0 become 0", reals: 1,
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: FlushSmall, F: o.F}, g)}
		}},
	FlushSmall: {row: &kernel.Ops[kernel.FlushSmall]},
	Threshold:  {row: &kernel.Ops[kernel.Threshold]},
}

func sameShape(o *Op, in []Shape) (Shape, error) {
	for _, s := range in[1:] {
		if s != in[0] {
			return Shape{}, fmt.Errorf("want equal shapes")
		}
	}
	return in[0], nil
}

// ofRow fills in what the row of [kernel.Ops] defines: the name and, for an elementwise
// operation, everything but the gradient. The shape rule that it fills in requires inputs
// of equal shape. So an operation that broadcasts an operand must come with a shape rule
// of its own.
func (r *rule) ofRow() {
	if r.row == nil {
		return
	}
	if r.name == "" {
		r.name = r.row.Name
		if r.row.Element != nil {
			r.reals = r.row.F
		}
	}
	if r.row.Element == nil {
		return
	}
	if r.doc == "" {
		r.doc = r.row.Doc
	}
	r.arity = len(r.row.Args) - 1
	if r.shape == nil {
		r.shape = sameShape
	}
	value, second, shape := r.row.Value, r.arity-1, r.row.Args[r.arity].Shape
	r.do = func(o *Op, in []Mat, out Mat) {
		x, y := in[0].Data, in[second].Data
		for i := range out.Data {
			at := i
			switch shape {
			case kernel.One:
				at = 0
			case kernel.PerRow:
				at = i / out.Cols
			case kernel.PerCol:
				at = i % out.Cols
			}
			out.Data[i] = value(x[i], y[at], o.F)
		}
	}
}

// Add returns x + y.
func (b *Builder) Add(x, y *Node) *Node { return b.apply(Op{Kind: Add}, x, y) }

// Sub returns x - y.
func (b *Builder) Sub(x, y *Node) *Node { return b.apply(Op{Kind: Sub}, x, y) }

// Mul returns x * y, element by element.
func (b *Builder) Mul(x, y *Node) *Node { return b.apply(Op{Kind: Mul}, x, y) }

// OneMinus returns 1 - x.
func (b *Builder) OneMinus(x *Node) *Node { return b.apply(Op{Kind: OneMinus}, x) }

// Scale returns x times a constant.
func (b *Builder) Scale(x *Node, by float64) *Node {
	return b.apply(Op{Kind: Scale, F: [2]float64{by}}, x)
}

// Sigmoid returns the logistic function of x.
func (b *Builder) Sigmoid(x *Node) *Node { return b.apply(Op{Kind: Sigmoid}, x) }

// Tanh returns tanh x.
func (b *Builder) Tanh(x *Node) *Node { return b.apply(Op{Kind: Tanh}, x) }

// StopGrad returns x as a constant: no gradient flows through it.
func (b *Builder) StopGrad(x *Node) *Node { return b.apply(Op{Kind: StopGrad}, x) }

// ClipGrad returns x. The gradient that flows back through it is clipped to
// [-limit, limit].
func (b *Builder) ClipGrad(x *Node, limit float64) *Node {
	return b.apply(Op{Kind: ClipGrad, F: [2]float64{limit}}, x)
}

// FlushGrad returns x. In the gradient that flows back through it, elements whose magnitude
// is below the given limit become 0. Without this, a gradient that shrinks in a long
// product would become subnormal. Some processors are slow with subnormal numbers.
func (b *Builder) FlushGrad(x *Node, least float64) *Node {
	return b.apply(Op{Kind: FlushGrad, F: [2]float64{least}}, x)
}

// Clamp returns x clamped to [-limit, limit]. The gradient flows back unchanged even where
// x is outside the limits, so that training can move x back inside.
func (b *Builder) Clamp(x *Node, limit float64) *Node {
	return b.apply(Op{Kind: Clip, F: [2]float64{-limit, limit}}, x)
}

// Threshold returns 1 for each element of x that is greater than the given number, and 0
// for each other element.
func (b *Builder) Threshold(x *Node, at float64) *Node {
	return b.apply(Op{Kind: Threshold, F: [2]float64{at}}, x)
}
