package stepgraph

import (
	"strings"
	"testing"
)

// TestVerifyRefuses checks that Build rejects operations that mix strings, domains or
// layouts, and operations that confuse whole numbers with other numbers.
func TestVerifyRefuses(t *testing.T) {
	stack := func(b *Builder) *node { return b.State(StateSpec{Name: "s", Width: 4, Stacks: 1}) }
	apply := func(k Kind, i [3]int, x ...func(*Builder) *node) func(*Builder) {
		return func(b *Builder) {
			var in []*node
			for _, f := range x {
				in = append(in, f(b))
			}
			b.SetOutput("y", b.Apply(Op{Kind: k, I: i}, in...))
			for _, s := range b.graph.States {
				b.SetNext(s.In, b.Apply(Op{Kind: Neg}, s.In))
			}
		}
	}
	step := func(name string, w int) func(*Builder) *node {
		return func(b *Builder) *node { return rows(b, name, w) }
	}
	static := func(name string, r, c int) func(*Builder) *node {
		return func(b *Builder) *node { return weight(b, name, r, c) }
	}
	example := func(name string, w int) func(*Builder) *node {
		return func(b *Builder) *node { return b.Input(name, Example, w, false) }
	}
	whole := func(name string, d Domain) func(*Builder) *node {
		return func(b *Builder) *node { return b.Input(name, d, 1, true) }
	}
	depth := func(b *Builder) *node { return b.ToStackMajor(rows(b, "g", 1), 1) }
	for _, c := range []struct {
		says  string
		build func(b *Builder)
	}{
		{"slicerows{0,3,1} of x [Bx2]: have a row for each string, want a static or stack-major value", apply(SliceRows, [3]int{0, 3, 1}, step("x", 2))},
		{"padrows{0,20000,1} of x [Bx2]: have a row for each string, want a static or stack-major value", apply(PadRows, [3]int{0, 20000, 1}, step("x", 2))},
		{"addatrows{0,0,1} of x [Bx2] and y [Bx2]: have a row for each string, want a static or stack-major value", apply(AddAtRows, [3]int{0, 0, 1}, step("x", 2), step("y", 2))},
		{"concatrows{2} of x [Bx2] and y [Bx2]: have a row for each string, want a static or stack-major value", apply(ConcatRows, [3]int{}, step("x", 2), step("y", 2))},
		{"matmul of W [3x4] and s [4xBx1]: s [4xBx1] is stack-major, want rows", apply(MatMul, [3]int{}, static("W", 3, 4), stack)},
		{"matmul{0,1} of x [Bx2] and y [Bx2]: the second factor is a step value, want a static value, such as a parameter", apply(MatMul, [3]int{0, 1}, step("x", 2), step("y", 2))},
		{"slicecols{0,1,1} of s [4xBx1]: s [4xBx1] is stack-major, want rows", apply(SliceCols, [3]int{0, 1, 1}, stack)},
		{"softmax{1} of s [4xBx1]: s [4xBx1] is stack-major, want rows", apply(Softmax, [3]int{1}, stack)},
		{"rowdot of s [4xBx1] and s2 [4xBx1]: s [4xBx1] is stack-major, want rows", apply(RowDot, [3]int{}, stack, stack2)},
		{"mulcol of s [4xBx1] and w [4x1]: s [4xBx1] is stack-major, want rows", apply(MulCol, [3]int{}, stack, static("w", 4, 1))},
		{"colsum of s [4xBx1]: s [4xBx1] is stack-major, want rows", apply(ColSum, [3]int{}, stack)},
		{"tostackmajor{1} of s [4xBx1]: have a stack-major value, want rows of a step value", func(b *Builder) { b.ToStackMajor(stack(b), 1) }},
		{"tostackmajor{1} of W [2x2]: have a static value, want rows of a step value", func(b *Builder) { b.ToStackMajor(weight(b, "W", 2, 2), 1) }},
		{"fromstackmajor{1} of x [Bx2]: have a step value, want a stack-major value", func(b *Builder) { b.Apply(Op{Kind: FromStackMajor, I: [3]int{1}}, rows(b, "x", 2)) }},
		{"coldot{1} of x [Bx2] and x [Bx2]: have a step value, want a stack-major value", func(b *Builder) { b.Apply(Op{Kind: ColDot, I: [3]int{1}}, rows(b, "x", 2), rows(b, "x", 2)) }},
		{"scalecols of W [4x3] and w [3x1]: the first value is a static value, want a stack-major value", apply(ScaleCols, [3]int{}, static("W", 4, 3), static("w", 3, 1))},
		{"stack{1,0} of W [4x3], p [3x1], q [3x1] and v [1x3]: the first value is a static value, want a stack-major value", apply(Stack, [3]int{1}, static("W", 4, 3), static("p", 3, 1), static("q", 3, 1), static("v", 1, 3))},
		{"stack{1,0} of s [4xBx1], tostackmajor [1xBx1] (of g [Bx1]), tostackmajor [1xBx1] (of g [Bx1]) and tostackmajor [1xBx1] (of g [Bx1]): the weight tostackmajor [1xBx1] is stack-major, want rows", func(b *Builder) {
			s, g := stack(b), depth(b)
			b.SetNext(s, b.Push(s, g, g, g, 1, 0))
		}},
		{"scalecols of s [4xBx1] and tostackmajor [1xBx1] (of g [Bx1]): the weight tostackmajor [1xBx1] is stack-major, want rows", apply(ScaleCols, [3]int{}, stack, depth)},
		{"gather of x [Bx2] and token [Bx1]: the table is a step value, want a static value", apply(Gather, [3]int{}, step("x", 2), whole("token", Step))},
		{"gatherrows of W [2x2] and pick [Ex1]: have rows of a static value, want rows of steps", apply(GatherRows, [3]int{}, static("W", 2, 2), whole("pick", Example))},
		{"gatherrows of e [Ex2] and pick [Ex1]: have rows of an example value, want rows of steps", apply(GatherRows, [3]int{}, example("e", 2), whole("pick", Example))},
		{"gatherrows of x [Bx2] and pick [Bx1]: the indices are a step value, want rows of examples", apply(GatherRows, [3]int{}, step("x", 2), whole("pick", Step))},
		{"crossentropy of x [Bx2] and t [Ex1]: have a step value and an example value, want one domain", apply(CrossEntropy, [3]int{}, step("x", 2), func(b *Builder) *node {
			return b.leaf("t", b.cfg.Dtype, nominalBatch, 1, Layout{Domain: Example})
		})},
		{"gather of T [3x2] and which [1x1]: the indices are a static value, want rows of steps or of examples", apply(Gather, [3]int{}, static("T", 3, 2), whole("which", Static))},
		{"gather of T [3x2] and x [Bx1]: have x [Bx1] as indices, want a whole-number input", apply(Gather, [3]int{}, static("T", 3, 2), step("x", 1))},
		{"gather of T [3x2] and tanh [Bx1] (of x [Bx1]): have tanh [Bx1] as indices, want a whole-number input", apply(Gather, [3]int{}, static("T", 3, 2), func(b *Builder) *node { return b.Tanh(rows(b, "x", 1)) })},
		{"gather of T [3x2] and slicecols [Bx1] (of x [Bx2]): have slicecols [Bx1] as indices, want a whole-number input", func(b *Builder) {
			b.SetOutput("y", b.Gather(weight(b, "T", 3, 2), b.Apply(Op{Kind: SliceCols, I: [3]int{1, 1, 1}}, rows(b, "x", 2))))
		}},
		{"scatteradd{3} of y [Bx2] and x [Bx1]: have x [Bx1] as indices, want a whole-number input", apply(ScatterAdd, [3]int{3}, step("y", 2), step("x", 1))},
		{"gatherrows of x [Bx2] and e [Ex1]: have e [Ex1] as indices, want a whole-number input", apply(GatherRows, [3]int{}, step("x", 2), example("e", 1))},
		{"scatterrows{10007} of f [Ex2] and e [Ex1]: have e [Ex1] as indices, want a whole-number input", apply(ScatterRows, [3]int{nominalBatch}, example("f", 2), example("e", 1))},
		{"crossentropy of f [Ex2] and e [Ex1]: have e [Ex1] as indices, want a whole-number input", apply(CrossEntropy, [3]int{}, example("f", 2), example("e", 1))},
		{"crossentropygrad of f [Ex2], e [Ex1] and g [Ex1]: have e [Ex1] as indices, want a whole-number input", apply(CrossEntropyGrad, [3]int{}, example("f", 2), example("e", 1), example("g", 1))},
		{"dropout{0,0,0} of y [Bx2] and x [Bx3]: have x [Bx3] as indices, want a whole-number input", apply(Dropout, [3]int{}, step("y", 2), step("x", 3))},
		{"noise{0,0,0,0} of y [Bx2] and x [Bx3]: have x [Bx3] as indices, want a whole-number input", apply(Noise, [3]int{}, step("y", 2), step("x", 3))},
		{"copy of token [Bx1]: token is a whole-number input, want numbers", apply(Copy, [3]int{}, whole("token", Step))},
		{"stopgrad of token [Bx1]: token is a whole-number input, want numbers", apply(StopGrad, [3]int{}, whole("token", Step))},
		{"slicecols{0,1,1} of coord [Bx3]: coord is a whole-number input, want numbers", apply(SliceCols, [3]int{0, 1, 1}, func(b *Builder) *node { return b.Input("coord", Step, 3, true) })},
		{"gatherrows of token [Bx1] and pick [Ex1]: token is a whole-number input, want numbers", apply(GatherRows, [3]int{}, whole("token", Step), whole("pick", Example))},
		{"copy{h} of token [Bx1]: token is a whole-number input, want numbers", func(b *Builder) { b.SetNext(b.State(StateSpec{Name: "h", Width: 1}), b.Token()) }},
		{"output y is the whole-number input token, want numbers", func(b *Builder) { b.SetOutput("y", b.Token()) }},
		{"the loss is the whole-number input target, want numbers", func(b *Builder) { b.SetLoss(b.Target()) }},
		{"the loss is a step value of width 1, want one number per example", func(b *Builder) { b.SetLoss(rows(b, "x", 1)) }},
		{"the loss is an example value of width 2, want one number per example", func(b *Builder) { b.SetLoss(b.ExampleRows(rows(b, "x", 2))) }},
	} {
		_, err := Build(Config{}, c.build)
		if err == nil || !strings.HasPrefix(err.Error(), "stepgraph: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want an error that says %q", err, c.says)
		}
	}
}

func stack2(b *Builder) *node { return b.State(StateSpec{Name: "s2", Width: 4, Stacks: 1}) }

// TestVerifyRefusesBrokenGraphs checks that Verify rejects graphs that a builder
// cannot make.
func TestVerifyRefusesBrokenGraphs(t *testing.T) {
	graph := func() *Graph {
		g, err := Build(Config{}, func(b *Builder) {
			h := b.State(StateSpec{Name: "h", Width: 2})
			b.SetOutput("y", b.Add(rows(b, "x", 2), h))
			b.SetNext(h, b.Tanh(b.Add(rows(b, "x", 2), h)))
		})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	for _, c := range []struct {
		says    string
		corrupt func(g *Graph)
	}{
		{"have the same hash", func(g *Graph) { g.b.nodes = append(g.b.nodes, g.b.nodes[0]) }},
		{"comes before its input", func(g *Graph) {
			n := g.b.nodes
			n[2], n[3] = n[3], n[2]
		}},
		{"add of x [Ex2] and h [Bx2]: have an example value and a step value, want one domain", func(g *Graph) { g.b.domain[g.Input("x").Node] = Layout{Domain: Example} }},
		{"next value of state h: have slicecols [Bx1] (of h [Bx2]), want [Bx2]", func(g *Graph) { g.States[0].Out = g.b.Slice(g.States[0].In, 0, 1, 1) }},
	} {
		g := graph()
		if err := g.Verify(); err != nil {
			t.Fatal(err)
		}
		c.corrupt(g)
		if err := g.Verify(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want an error that says %q", err, c.says)
		}
	}
}
