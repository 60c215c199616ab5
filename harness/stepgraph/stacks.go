package stepgraph

import (
	"gorgonia.org/gorgonia"

	"pushdown/harness/kernel"
)

// stacks holds the operations on stack-major values. A cell of a stack has p numbers: row
// r holds number r%p of cell r/p, and cell 0 is the top. If a string has s stacks, column
// b*s+j is stack j of string b. The weights of actions are step values, which have one
// number for each such column.
var stacks = map[Kind]rule{
	ToStackMajor: {row: &kernel.Ops[kernel.ToStackMajor], doc: "a step value [B, s*p] as [p, B*s]; I0 is p", arity: 1, ints: 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			p := o.I[0]
			if p < 1 || in[0].Cols%p != 0 {
				return Shape{}, want(false, "width %d is no multiple of %d", in[0].Cols, p)
			}
			return Shape{p, in[0].Rows * in[0].Cols / p}, nil
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: FromStackMajor, I: [3]int{in[0].Shape()[1] / o.I[0]}}, g)}
		},
		do: func(o *Op, in []Mat, out Mat) {
			for i, x := range in[0].Data { // element (column i/p, number i%p)
				out.Set(i%o.I[0], i/o.I[0], x)
			}
		}},
	FromStackMajor: {row: &kernel.Ops[kernel.FromStackMajor], doc: "[p, B*s] as a step value [B, s*p]; I0 is s", arity: 1, ints: 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			s := o.I[0]
			if s < 1 || in[0].Cols%s != 0 {
				return Shape{}, want(false, "%d columns are no multiple of %d", in[0].Cols, s)
			}
			return Shape{in[0].Cols / s, s * in[0].Rows}, nil
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: ToStackMajor, I: [3]int{in[0].Shape()[0]}}, g)}
		},
		do: func(o *Op, in []Mat, out Mat) {
			p := in[0].Rows
			for i := range out.Data {
				out.Data[i] = in[0].At(i%p, i/p)
			}
		}},
	ScaleCols: {row: &kernel.Ops[kernel.ScaleCols], doc: "x, [D, B*s], with each column multiplied by its number in w, [B, s]",
		shape: func(o *Op, in []Shape) (Shape, error) { return in[0], perColumn(in[0], in[1:]) },
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: ScaleCols}, g, in[1]), o.colDot(in[1], g, in[0])}
		}},
	ColDot: {row: &kernel.Ops[kernel.ColDot], doc: "[B, s]: the sum over each column of x * y; I0 is s", arity: 2, ints: 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			if o.I[0] < 1 || in[0].Cols%o.I[0] != 0 {
				return Shape{}, want(false, "%d columns are no multiple of %d", in[0].Cols, o.I[0])
			}
			return Shape{in[0].Cols / o.I[0], o.I[0]}, want(in[0] == in[1], "want equal shapes")
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			return gorgonia.Nodes{o.b.apply(Op{Kind: ScaleCols}, in[1], g), o.b.apply(Op{Kind: ScaleCols}, in[0], g)}
		},
		do: func(o *Op, in []Mat, out Mat) {
			for i, x := range in[0].Data {
				out.Data[i%in[0].Cols] += x * in[1].Data[i]
			}
		}},
	Stack: {row: &kernel.Ops[kernel.Stack], arity: 4, ints: 1, reals: 1,
		doc: "s after a push of v with weight push and a pop with weight pop: push*shift(s,v,down) + pop*shift(s,F0,up); I0 is p, F0 the empty value",
		shape: func(o *Op, in []Shape) (Shape, error) {
			return in[0], stackFits(o, in[0], in[len(in)-1], in[1:len(in)-1])
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			s, push, pop, v := in[0], in[1], in[2], in[3]
			return gorgonia.Nodes{
				o.b.apply(Op{Kind: StackGrad, I: o.I}, g, push, pop),
				o.gradPush(push, g, s, v), o.gradPop(pop, g, s), o.gradPushed(g, push),
			}
		},
		do: func(o *Op, in []Mat, out Mat) {
			for r := range out.Rows {
				for c := range out.Cols {
					up, down := o.neighbours(in[0], in[3], r, c)
					out.Set(r, c, in[1].Data[c]*up+in[2].Data[c]*down)
				}
			}
		}},
	StackNoop: {row: &kernel.Ops[kernel.Stack], name: "stacknoop", arity: 5, ints: 1, reals: 1,
		doc: "stack with a third weight, noop, that leaves s unchanged: inputs s, push, pop, noop, v; I0 is p, F0 the empty value",
		shape: func(o *Op, in []Shape) (Shape, error) {
			return in[0], stackFits(o, in[0], in[len(in)-1], in[1:len(in)-1])
		},
		grad: func(o *Op, in gorgonia.Nodes, out, g *Node) gorgonia.Nodes {
			s, push, pop, noop, v := in[0], in[1], in[2], in[3], in[4]
			return gorgonia.Nodes{
				o.b.apply(Op{Kind: StackNoopGrad, I: o.I}, g, push, pop, noop),
				o.gradPush(push, g, s, v), o.gradPop(pop, g, s), o.colDot(noop, g, s), o.gradPushed(g, push),
			}
		},
		do: func(o *Op, in []Mat, out Mat) {
			for r := range out.Rows {
				for c := range out.Cols {
					up, down := o.neighbours(in[0], in[4], r, c)
					out.Set(r, c, in[1].Data[c]*up+in[2].Data[c]*down+in[3].Data[c]*in[0].At(r, c))
				}
			}
		}},
	StackGrad: {row: &kernel.Ops[kernel.StackGrad], doc: "the gradient of stack with respect to s; inputs g, push, pop; I0 is p", arity: 3, ints: 1,
		shape: func(o *Op, in []Shape) (Shape, error) { return in[0], perColumn(in[0], in[1:]) },
		do:    stackGradDo},
	StackNoopGrad: {row: &kernel.Ops[kernel.StackGrad], name: "stacknoopgrad", doc: "the gradient of stacknoop with respect to s; inputs g, push, pop, noop; I0 is p", arity: 4, ints: 1,
		shape: func(o *Op, in []Shape) (Shape, error) { return in[0], perColumn(in[0], in[1:]) },
		do:    stackGradDo},
	StackGradPush: {row: &kernel.Ops[kernel.StackGrad], name: "stackgradpush", doc: "[B, s]: the gradient of stack with respect to push; inputs g, s, v; I0 is p, I1 is s", arity: 3, ints: 2,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{in[0].Cols / o.I[1], o.I[1]}, stackFits(o, in[1], in[2], nil)
		},
		do: func(o *Op, in []Mat, out Mat) {
			for i, g := range in[0].Data {
				up, _ := o.neighbours(in[1], in[2], i/in[0].Cols, i%in[0].Cols)
				out.Data[i%in[0].Cols] += g * up
			}
		}},
	StackGradPop: {row: &kernel.Ops[kernel.StackGrad], name: "stackgradpop", doc: "[B, s]: the gradient of stack with respect to pop; inputs g, s; I0 is p, I1 is s, F0 the empty value", arity: 2, ints: 2, reals: 1,
		shape: func(o *Op, in []Shape) (Shape, error) {
			return Shape{in[0].Cols / o.I[1], o.I[1]}, want(in[0] == in[1], "want equal shapes")
		},
		do: func(o *Op, in []Mat, out Mat) {
			for i, g := range in[0].Data {
				down := o.F[0]
				if r := i/in[0].Cols + o.I[0]; r < in[1].Rows {
					down = in[1].At(r, i%in[0].Cols)
				}
				out.Data[i%in[0].Cols] += g * down
			}
		}},
}

// neighbours returns the values that a push and a pop move into row r of column c.
func (o *Op) neighbours(s, v Mat, r, c int) (up, down float64) {
	p := o.I[0]
	if r < p {
		up = v.At(r, c)
	} else {
		up = s.At(r-p, c)
	}
	if r+p < s.Rows {
		return up, s.At(r+p, c)
	}
	return up, o.F[0]
}

func (o *Op) gradPush(push, g, s, v *Node) *Node {
	return o.b.apply(Op{Kind: StackGradPush, I: [3]int{o.I[0], push.Shape()[1]}}, g, s, v)
}

func (o *Op) gradPop(pop, g, s *Node) *Node {
	return o.b.apply(Op{Kind: StackGradPop, I: [3]int{o.I[0], pop.Shape()[1]}, F: o.F}, g, s)
}

// gradPushed returns the gradient with respect to the pushed value: the top cell of g,
// multiplied by the weight in the parameter push.
func (o *Op) gradPushed(g, push *Node) *Node {
	top := o.b.apply(Op{Kind: SliceRows, I: [3]int{0, o.I[0], 1}}, g)
	return o.b.apply(Op{Kind: ScaleCols}, top, push)
}

func (o *Op) colDot(weight, x, y *Node) *Node {
	return o.b.apply(Op{Kind: ColDot, I: [3]int{weight.Shape()[1]}}, x, y)
}

// stackGradDo computes the gradient with respect to the stacks before the actions push, pop
// and no-op. The first input, g, is the gradient with respect to the stacks after the
// actions. If an action moves row i of the stacks to row j, row j of g, times the weight of
// the action, is added to row i of the result. A push, for example, moves each cell down.
func stackGradDo(o *Op, in []Mat, out Mat) {
	g, p := in[0], o.I[0]
	for r := range g.Rows {
		for c := range g.Cols {
			if r >= p {
				out.Set(r-p, c, out.At(r-p, c)+in[1].Data[c]*g.At(r, c))
			}
			if r+p < g.Rows {
				out.Set(r+p, c, out.At(r+p, c)+in[2].Data[c]*g.At(r, c))
			}
			if len(in) > 3 {
				out.Set(r, c, out.At(r, c)+in[3].Data[c]*g.At(r, c))
			}
		}
	}
}

// perColumn checks that each weight has one number per column of s.
func perColumn(s Shape, weights []Shape) error {
	for _, w := range weights {
		if w.Rows*w.Cols != s.Cols {
			return want(false, "weights of %v for %d columns", w, s.Cols)
		}
	}
	return nil
}

func stackFits(o *Op, s, v Shape, weights []Shape) error {
	p := o.I[0]
	if p < 1 || s.Rows%p != 0 || v != (Shape{p, s.Cols}) {
		return want(false, "want cells of %d rows and a pushed value of %v", p, Shape{p, s.Cols})
	}
	return perColumn(s, weights)
}
