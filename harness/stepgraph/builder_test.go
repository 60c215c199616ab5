package stepgraph

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type node = Node

func rows(b *Builder, name string, width int) *node { return b.Input(name, Step, width, false) }

func weight(b *Builder, name string, r, c int) *node {
	return b.Param(Spec{Name: name, Rows: r, Cols: c})
}

// classify adds a read-out and a loss to a step.
func classify(b *Builder, y *node, classes int) {
	logits := b.MatMul(b.ExampleRows(y), weight(b, "W_out", y.Shape()[1], classes))
	b.SetLoss(b.CrossEntropy(logits, b.Target()))
}

// missingNext is a cell that returns fewer next states than it has.
type missingNext struct{}

func (missingNext) Params(int) []Spec { return nil }
func (missingNext) State() []StateSpec {
	return []StateSpec{{Name: "a", Width: 1}, {Name: "b", Width: 1}}
}
func (missingNext) Step(b *Builder, x *node, state, params []*node) (*node, []*node) {
	return x, state[:1]
}

// TestBuilderRefusesMisuse checks that Build returns an error for misuse of the
// builder and does not recover other panics.
func TestBuilderRefusesMisuse(t *testing.T) {
	for _, c := range []struct {
		says  string
		build func(b *Builder)
	}{
		{"two parameters, states or inputs are named W, want different names", func(b *Builder) { weight(b, "W", 1, 1); weight(b, "W", 2, 2) }},
		{"two parameters, states or inputs are named x, want different names", func(b *Builder) { rows(b, "x", 1); b.State(StateSpec{Name: "x", Width: 1}) }},
		{"parameter W is 0x3, want at least 1x1", func(b *Builder) { weight(b, "W", 0, 3) }},
		{"state h has width -1 and 0 stacks, want a width of at least 1 and no negative number of stacks", func(b *Builder) { b.State(StateSpec{Name: "h", Width: -1}) }},
		{"state s has width 0 and 2 stacks, want a width of at least 1 and no negative number of stacks", func(b *Builder) { b.State(StateSpec{Name: "s", Width: 0, Stacks: 2}) }},
		{"parameter W [2x2] has 3 initial values, want 4, and the kind FromValues only with values", func(b *Builder) {
			b.Param(Spec{Name: "W", Rows: 2, Cols: 2, Init: Init{Kind: FromValues, Values: make([]float32, 3)}})
		}},
		{"state h has no next value", func(b *Builder) { b.State(StateSpec{Name: "h", Width: 1}) }},
		{"next value of state h: have x [Bx2], want [Bx1]", func(b *Builder) {
			b.SetNext(b.State(StateSpec{Name: "h", Width: 1}), rows(b, "x", 2))
		}},
		{"state h has two next values, want one", func(b *Builder) {
			h := b.State(StateSpec{Name: "h", Width: 1})
			b.SetNext(h, b.Tanh(h))
			b.SetNext(h, b.Sigmoid(h))
		}},
		{"want a state", func(b *Builder) { x := rows(b, "x", 1); b.SetNext(x, b.Tanh(x)) }},
		{"stepgraph.missingNext: Step returns 1 next values, want 2, one for each state: a [Bx1] and b [Bx1]", func(b *Builder) { b.Cell(missingNext{}, rows(b, "x", 1)) }},
		{"input x: have a step value of width 2 (int false), want a step value of width 1 (int false) as at first use", func(b *Builder) { rows(b, "x", 1); rows(b, "x", 2) }},
		{"input x: have a step value of width 1 (int true), want a step value of width 1 (int false)", func(b *Builder) { rows(b, "x", 1); b.Input("x", Step, 1, true) }},
		{"input token: have an example value of width 1 (int true), want a step value", func(b *Builder) { b.Token(); b.Input(InputToken, Example, 1, true) }},
		{"add of 1 values, want 2", func(b *Builder) { b.Apply(Op{Kind: Add}, rows(b, "x", 1)) }},
		{"concatcols of no values, want at least 1", func(b *Builder) { b.Concat() }},
		{"dropout d: rate 1, want 0 <= rate < 1", func(b *Builder) { b.Dropout("d", 1, rows(b, "x", 1)) }},
		{"dropout d: rate -0.1, want", func(b *Builder) { b.Dropout("d", -0.1, rows(b, "x", 1)) }},
		{"dropout d: rate NaN, want", func(b *Builder) { b.Dropout("d", math.NaN(), rows(b, "x", 1)) }},
		{"noise n: standard deviation NaN, want", func(b *Builder) { b.Noise("n", 0, math.NaN(), rows(b, "x", 1)) }},
		{"noise n: standard deviation -1, want >= 0", func(b *Builder) { b.Noise("n", 0, -1, rows(b, "x", 1)) }},
	} {
		g, err := Build(Config{Training: true}, c.build)
		if g != nil && err != nil && g.Loss != nil || err == nil || !strings.HasPrefix(err.Error(), "stepgraph: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want an error that says %q", err, c.says)
		}
	}
	defer func() {
		if r := recover(); r != "mine" {
			t.Errorf("a panic that is not the builder's ends as %v", r)
		}
	}()
	Build(Config{}, func(*Builder) { panic("mine") })
}

// TestEqualOperationsAreOneNode checks that the builder merges equal operations on
// equal inputs, and makes two nodes if operations differ in kind, attributes, name or
// inputs.
func TestEqualOperationsAreOneNode(t *testing.T) {
	_, err := Build(Config{Training: true}, func(b *Builder) {
		x, y := rows(b, "x", 6), rows(b, "y", 6)
		for _, c := range []struct {
			what     string
			one, two *node
			same     bool
		}{
			{"sums", b.Add(x, y), b.Add(x, y), true},
			{"sums with swapped inputs", b.Add(x, y), b.Add(y, x), false},
			{"a sum and a product", b.Add(x, y), b.Mul(x, y), false},
			{"slices", b.Slice(x, 0, 2, 1), b.Slice(x, 0, 2, 1), true},
			{"slices with other strides", b.Slice(x, 0, 2, 1), b.Slice(x, 0, 2, 2), false},
			{"factors", b.Scale(x, 0.5), b.Scale(x, 0.5), true},
			{"other factors", b.Scale(x, 0.5), b.Scale(x, 0.5+0x1p-53), false},
			{"sites", b.Dropout("d", 0.5, x), b.Dropout("d", 0.5, x), true},
			{"sites with other names", b.Dropout("d", 0.5, x), b.Dropout("e", 0.5, x), false},
			{"concatenations", b.Concat(x, y), b.Concat(x, y), true},
			{"concatenations of more", b.Concat(x, y), b.Concat(x, y, x), false},
			{"inputs", b.Token(), b.Token(), true},
			{"scalars", b.Scalar("t"), b.Scalar("t"), true},
		} {
			if (c.one == c.two) != c.same {
				t.Errorf("two %s are one node: %v, want %v", c.what, c.one == c.two, c.same)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestHashCollision checks that an operation whose 32-bit hash is already
// in use gets another serial number and its own node.
func TestHashCollision(t *testing.T) {
	g, err := Build(Config{}, func(b *Builder) {
		x := rows(b, "x", 2)
		first := b.Tanh(x)
		b.serial--          // the next operation gets the serial number, and so the hash, of first
		clear(b.same)       // the builder does not find the equal operation
		second := b.Tanh(x) // Gorgonia returns the node first, so the builder tries again
		if first == second || OpOf(first).serial == OpOf(second).serial || first.Hashcode() == second.Hashcode() {
			t.Errorf("nodes %v with serial %d and %v with serial %d are not told apart", first, OpOf(first).serial, second, OpOf(second).serial)
		}
		b.SetOutput("sum", b.Add(first, second))
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(g.Nodes()); n != 4 {
		t.Errorf("%d nodes, want 4", n)
	}
}

// TestStatesHaveDistinctNextValues checks that SetNext makes a copy if the next value of a
// state is a leaf or belongs to another state already.
func TestStatesHaveDistinctNextValues(t *testing.T) {
	g, err := Build(Config{}, func(b *Builder) {
		var s [4]*node
		for i, name := range []string{"a", "b", "c", "d"} {
			s[i] = b.State(StateSpec{Name: name, Width: 2})
		}
		y := b.Tanh(s[0])
		b.SetNext(s[0], y)
		b.SetNext(s[1], y)
		b.SetNext(s[2], s[3])
		b.SetNext(s[3], rows(b, "x", 2))
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[*node]bool{}
	for _, s := range g.States {
		if seen[s.Out] || OpOf(s.Out) == nil {
			t.Errorf("state %s: next value %v, want a node of its own", s.Name, s.Out)
		}
		seen[s.Out] = true
	}
}

// TestVariants checks that dropout and noise exist in the training variant only.
func TestVariants(t *testing.T) {
	for _, training := range []bool{false, true} {
		g, err := Build(Config{Training: training}, func(b *Builder) {
			x := rows(b, "x", 2)
			if b.Training() != training {
				t.Errorf("Training is %v, want %v", b.Training(), training)
			}
			if y := b.Dropout("d", 0, x); y != x {
				t.Error("dropout with rate 0 adds an operation")
			}
			if y := b.Noise("n", 0, 0, x); y != x {
				t.Error("noise with mean and deviation 0 adds an operation")
			}
			if y := b.Dropout("d", 0.5, x); (y != x) != training {
				t.Errorf("training %v: dropout is active: %v", training, y != x)
			}
			if y := b.Noise("n", 0.5, 0, x); (y != x) != training {
				t.Errorf("training %v: noise is active: %v", training, y != x)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if (g.Input(InputCoord) != nil) != training {
			t.Errorf("training %v: the graph has a coordinate input: %v", training, g.Input(InputCoord) != nil)
		}
	}
}

// TestPrintedForm checks the text that Format returns. The text has one line per node with
// number, shape, domain, operation and inputs. The shape has B or E in place of the batch
// size.
func TestPrintedForm(t *testing.T) {
	g, err := Build(Config{}, func(b *Builder) {
		x := b.Gather(weight(b, "E", 5, 4), b.Token())
		s := b.State(StateSpec{Name: "stack", Width: 6, Stacks: 2})
		a := b.Sigmoid(b.MatMul(x, b.Tanh(weight(b, "W", 4, 4))))
		next := b.Push(s, b.Slice(a, 0, 2, 1), b.Slice(a, 2, 2, 1), b.ToStackMajor(b.Slice(x, 0, 2, 2), 1), 1, -1)
		b.SetNext(s, next)
		classify(b, b.Top(next, 2), 3)
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `%0   5x4        static           E
%1   Bx1        step             token
%2   Bx4        step             gather %0 %1
%3   6xBx2      step stack-major stack
%4   4x4        static           W
%5   4x4        static           tanh %4
%6   Bx4        step             matmul{0,0} %2 %5
%7   Bx4        step             sigmoid %6
%8   Bx2        step             slicecols{0,2,1} %7
%9   Bx2        step             slicecols{2,2,1} %7
%10  Bx2        step             slicecols{0,2,2} %2
%11  1xBx2      step stack-major tostackmajor{1} %10
%12  6xBx2      step stack-major stack{1,-1} %3 %8 %9 %11
%13  2xBx2      step stack-major slicerows{0,2,1} %12
%14  Bx4        step             fromstackmajor{2} %13
%15  Ex1        example          pick
%16  Ex4        example          gatherrows %14 %15
%17  4x3        static           W_out
%18  Ex3        example          matmul{0,0} %16 %17
%19  Ex1        example          target
%20  Ex1        example          crossentropy %18 %19
`
	if diff := cmp.Diff(want, g.Format()); diff != "" {
		t.Errorf("printed form (-want +got):\n%s", diff)
	}
	if n := g.CountParams(); n != 5*4+4*4+4*3 {
		t.Errorf("%d parameters, want %d", n, 5*4+4*4+4*3)
	}
	if g.Input("x") != nil || g.Param("x") != nil {
		t.Error("the graph has an input or a parameter x, want neither")
	}
}
