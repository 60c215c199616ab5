package stepgraph

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gorgonia.org/tensor"
)

// gradientOf returns the operations that compute the gradient of x as text. The
// letters a, b and c stand for the gradients of the nodes that step returns, in order.
func gradientOf(t *testing.T, step func(b *Builder, x *node) []*node) string {
	t.Helper()
	b := newBuilder(Config{})
	x := b.leaf("x", b.cfg.Dtype, 3, 6, Layout{})
	consumers := step(b, x)
	nodes := slices.Clone(b.nodes)
	seed := map[*node]*node{}
	for _, y := range consumers {
		seed[y] = b.leaf("d"+y.Name(), b.cfg.Dtype, y.Shape()[0], y.Shape()[1], Layout{})
	}
	grads := b.reverse(nodes, seed, []*node{x})
	names := map[*node]string{}
	for i, y := range consumers {
		names[seed[y]] = string(rune('a' + i))
	}
	var print func(n *node) string
	print = func(n *node) string {
		if name, ok := names[n]; ok {
			return name
		}
		var in []string
		for _, x := range b.inputs[n] {
			in = append(in, print(x))
		}
		return OpOf(n).String() + "(" + strings.Join(in, " ") + ")"
	}
	if grads[x] == nil {
		return "nothing"
	}
	return print(grads[x])
}

// TestOrderOfGradients checks that the gradients from the consumers of x are added in
// descending order of the consumers' ids, then in ascending order of input position.
// Gradients of slices are added to their part of x only, or are concatenated if the
// slices cover x exactly.
func TestOrderOfGradients(t *testing.T) {
	slice := func(b *Builder, x *node, from, n, step int) *node { return b.Slice(x, from, n, step) }
	down := func(b *Builder, x *node, from, n int) *node {
		return b.Apply(Op{Kind: SliceRows, I: [3]int{from, n, 1}}, x)
	}
	stop := func(b *Builder, x *node) *node { return b.StopGrad(x) }
	copyOf := func(b *Builder, x *node, name string) *node { return b.Apply(Op{Kind: Copy, Name: name}, x) }
	for _, c := range []struct {
		what string
		step func(b *Builder, x *node) []*node
		want string
	}{
		{"one consumer", func(b *Builder, x *node) []*node { return []*node{copyOf(b, x, "a")} }, "a"},
		{"three consumers: the last one first", func(b *Builder, x *node) []*node {
			return []*node{copyOf(b, x, "a"), copyOf(b, x, "b"), copyOf(b, x, "c")}
		}, "add(add(c b) a)"},
		{"one consumer in two places", func(b *Builder, x *node) []*node { return []*node{b.Sub(x, x)} }, "add(a neg(a))"},
		{"a consumer in two places after another", func(b *Builder, x *node) []*node {
			return []*node{copyOf(b, x, "a"), b.Sub(x, x)}
		}, "add(add(b neg(b)) a)"},
		{"no gradient through a stop", func(b *Builder, x *node) []*node { return []*node{stop(b, x)} }, "nothing"},
		{"a stop beside", func(b *Builder, x *node) []*node { return []*node{copyOf(b, x, "a"), stop(b, x)} }, "a"},

		{"slices that cover", func(b *Builder, x *node) []*node {
			return []*node{slice(b, x, 0, 2, 1), slice(b, x, 2, 3, 1), slice(b, x, 5, 1, 1)}
		}, "concatcols{3}(a b c)"},
		{"slices that cover, made in another order", func(b *Builder, x *node) []*node {
			return []*node{slice(b, x, 4, 2, 1), slice(b, x, 0, 4, 1)}
		}, "concatcols{2}(b a)"},
		{"a slice that is the whole", func(b *Builder, x *node) []*node { return []*node{slice(b, x, 0, 6, 1)} }, "a"},
		{"rows that cover", func(b *Builder, x *node) []*node {
			return []*node{down(b, x, 1, 2), down(b, x, 0, 1)}
		}, "concatrows{2}(b a)"},
		{"slices that leave a gap", func(b *Builder, x *node) []*node {
			return []*node{slice(b, x, 0, 2, 1), slice(b, x, 3, 3, 1)}
		}, "addatcols{0,0,1}(padcols{3,6,1}(b) a)"},
		{"slices that leave the end", func(b *Builder, x *node) []*node {
			return []*node{slice(b, x, 0, 2, 1), slice(b, x, 2, 3, 1)}
		}, "addatcols{0,0,1}(padcols{2,6,1}(b) a)"},
		{"slices that overlap", func(b *Builder, x *node) []*node {
			return []*node{slice(b, x, 0, 4, 1), slice(b, x, 3, 3, 1)}
		}, "addatcols{0,0,1}(padcols{3,6,1}(b) a)"},
		{"slices apart that cover", func(b *Builder, x *node) []*node {
			return []*node{slice(b, x, 0, 3, 2), slice(b, x, 1, 3, 2)}
		}, "addatcols{0,0,2}(padcols{1,6,2}(b) a)"},
		{"as many columns as there are, but apart", func(b *Builder, x *node) []*node {
			return []*node{slice(b, x, 0, 3, 2), slice(b, x, 3, 3, 1)}
		}, "addatcols{0,0,2}(padcols{3,6,1}(b) a)"},
		{"a row among columns that would cover with it", func(b *Builder, x *node) []*node {
			return []*node{slice(b, x, 0, 2, 1), down(b, x, 2, 1), slice(b, x, 3, 3, 1)}
		}, "addatcols{0,0,1}(addatrows{2,0,1}(padcols{3,6,1}(c) b) a)"},
		{"rows that leave a gap", func(b *Builder, x *node) []*node { return []*node{down(b, x, 1, 1)} }, "padrows{1,3,1}(a)"},
		{"rows and columns", func(b *Builder, x *node) []*node {
			return []*node{down(b, x, 0, 3), slice(b, x, 0, 6, 1)}
		}, "addatrows{0,0,1}(padcols{0,6,1}(b) a)"},
		{"slices that cover and a whole before them", func(b *Builder, x *node) []*node {
			return []*node{copyOf(b, x, "a"), slice(b, x, 0, 3, 1), slice(b, x, 3, 3, 1)}
		}, "add(addatcols{0,0,1}(padcols{3,6,1}(c) b) a)"},
		{"a whole after a slice", func(b *Builder, x *node) []*node {
			return []*node{slice(b, x, 1, 2, 1), copyOf(b, x, "b")}
		}, "addatcols{1,0,1}(b a)"},
	} {
		if diff := cmp.Diff(c.want, gradientOf(t, c.step)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.what, diff)
		}
	}
}

// TestCarriedGradientComesFirst checks that the gradient carried from the following
// step comes first in the sum, before the gradients from the consumers.
func TestCarriedGradientComesFirst(t *testing.T) {
	g, err := Build(Config{}, func(b *Builder) {
		h := b.State(StateSpec{Name: "h", Width: 2})
		y := b.Tanh(b.MatMul(h, weight(b, "W", 2, 2)))
		b.SetNext(h, y)
		classify(b, y, 3)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Differentiate(); err != nil {
		t.Fatal(err)
	}
	s := g.States[0]
	for _, n := range g.Nodes() {
		if o := OpOf(n); o != nil && o.Kind == TanhGrad {
			sum := g.InputsOf(n)[1]
			in := g.InputsOf(sum)
			if OpOf(sum).Kind != Add || in[0] != s.GradOut || OpOf(in[1]).Kind != ScatterRows {
				t.Errorf("the gradient of h is %v of %v, want the carried one and then that of the loss", sum, in)
			}
		}
	}
	if s.GradIn == nil || s.GradIn == s.GradOut {
		t.Errorf("gradient passed to the previous step: have %v, want a computed node", s.GradIn)
	}
	if err := g.Differentiate(); err == nil || !strings.Contains(err.Error(), "is already differentiated") {
		t.Errorf("a second gradient: %v", err)
	}
	if _, err := Unroll(g, []int{1}, 1, tensor.Float64); err == nil || !strings.Contains(err.Error(), "is already differentiated") {
		t.Errorf("unrolling a gradient: %v", err)
	}
}

func TestDifferentiateRefuses(t *testing.T) {
	for _, c := range []struct {
		says  string
		build func(b *Builder)
	}{
		{"the graph has no loss", func(b *Builder) { rows(b, "x", 1) }},
		{"parameter U [2x2] has no influence on the loss", func(b *Builder) {
			weight(b, "U", 2, 2)
			classify(b, rows(b, "x", 2), 3)
		}},
		{"parameter U [1x1] has no influence on the loss", func(b *Builder) { // MulOne passes no gradient to its scalar
			classify(b, b.MulOne(rows(b, "x", 2), weight(b, "U", 1, 1)), 3)
		}},
		{"parameter U [1x2] has no influence on the loss", func(b *Builder) {
			classify(b, b.AddRow(rows(b, "x", 2), b.StopGrad(weight(b, "U", 1, 2))), 3)
		}},
		{"two parameters, states or inputs are named carry.h, want different names", func(b *Builder) {
			h := b.State(StateSpec{Name: "h", Width: 2})
			b.SetNext(h, b.Add(h, rows(b, "carry.h", 2)))
			classify(b, h, 3)
		}},
	} {
		g, err := Build(Config{}, c.build)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Differentiate(); err == nil || !strings.HasPrefix(err.Error(), "stepgraph: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want an error that says %q", err, c.says)
		}
	}
}

// TestCountersHaveNoGradient checks that states with NoGrad and frozen parameters get
// no gradient.
func TestCountersHaveNoGradient(t *testing.T) {
	g, err := Build(Config{}, func(b *Builder) {
		n := b.State(StateSpec{Name: "n", Width: 1, NoGrad: true})
		h := b.State(StateSpec{Name: "h", Width: 1})
		f := b.Param(Spec{Name: "F", Rows: 1, Cols: 1, Frozen: true})
		y := b.Tanh(b.MatMul(b.Add(h, n), f))
		b.SetNext(n, b.OneMinus(n))
		b.SetNext(h, b.MatMul(y, weight(b, "W", 1, 1)))
		classify(b, y, 2)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Differentiate(); err != nil {
		t.Fatal(err)
	}
	if s := g.States[0]; s.GradOut != nil || s.GradIn != nil {
		t.Errorf("a counter has gradients %v and %v", s.GradOut, s.GradIn)
	}
	if s := g.States[1]; s.GradOut == nil || s.GradIn == nil {
		t.Errorf("a state has gradients %v and %v", s.GradOut, s.GradIn)
	}
	if p := g.Param("F"); p.Grad != nil {
		t.Errorf("a frozen parameter has the gradient %v", p.Grad)
	}
	if n := g.CountParams(); n != 1+2 {
		t.Errorf("%d trained numbers, want 3", n)
	}
}
