package scan

import (
	"slices"
	"testing"

	"pushdown/harness/stepgraph"
)

// overlapCells are steps with values that could be made to share memory but must
// not.
var overlapCells = []testCell{{"again", 3, sumOfParts}, {"pushed", 4, pushedByPart}, {"slices", 6, sliceOfSlice}}

// sumOfParts is a step with a sum whose first operand is a concatenation; the sum is
// stored in the memory of the concatenation. One part of the concatenation is computed
// only once, before the loop. If the loop were run again to recompute states, the sum
// would read its own result instead of that part. So the plan must keep all states.
func sumOfParts(b *stepgraph.Builder, x *node) *node {
	s := b.State(stepgraph.StateSpec{Name: "s", Width: 8})
	m := b.Add(b.Concat(b.Scale(x, 0.5), b.Slice(s, 0, 4, 1)), b.MatMul(x, b.Param(param("U", 4, 8))))
	b.SetNext(s, b.Concat(b.Slice(m, 4, 4, 1), b.Slice(m, 0, 4, 1)))
	return b.Tanh(b.MatMul(m, b.Param(param("V", 8, 3))))
}

// pushedByPart pushes with the weights z. To compute z, a value is added in place to a part
// of the product p. The products p and q have the same left factor, but they must not merge,
// because p would then have no memory of its own.
func pushedByPart(b *stepgraph.Builder, x *node) *node {
	s := b.State(stepgraph.StateSpec{Name: "s", Width: 2, Stacks: 4})
	h := b.State(stepgraph.StateSpec{Name: "h", Width: 4})
	p, q := b.MatMul(h, b.Param(param("A", 4, 4))), b.MatMul(h, b.Param(param("B", 4, 4)))
	z := b.Apply(stepgraph.Op{Kind: stepgraph.AddAtCols, I: [3]int{1, 0, 1}}, p, b.Slice(b.Sigmoid(q), 0, 2, 1))
	next := b.Push(s, z, b.Sigmoid(b.Add(q, x)), b.ToStackMajor(x, 1), 1, 0)
	b.SetNext(s, next)
	y := b.Tanh(b.Add(b.Top(next, 1), x))
	b.SetNext(h, y)
	return y
}

// sliceOfSlice reads a slice of a slice of pre. Nothing else reads these slices, but
// another slice of pre overlaps them and is read later.
func sliceOfSlice(b *stepgraph.Builder, x *node) *node {
	h := b.State(stepgraph.StateSpec{Name: "h", Width: 4})
	pre := b.Add(b.MatMul(x, b.Param(param("W", 4, 6))), b.MatMul(h, b.Param(param("U", 4, 6))))
	a := b.Tanh(b.Slice(b.Slice(pre, 0, 6, 1), 0, 4, 1))
	c := b.Sigmoid(b.Slice(pre, 2, 4, 1))
	b.SetNext(h, b.Mul(a, c))
	return b.Concat(a, b.Slice(c, 1, 2, 1))
}

func TestOverlapsAgainstOracle(t *testing.T) { againstOracle(t, overlapCells) }

// TestLongBatches checks that a batch in two chunks gives the same bits as a plan that keeps
// all states. The first chunk is so long that its states are computed a second time in the
// backward pass, if the plan allows it. They are computed segment by segment, and the last
// segment is incomplete. The second chunk is short enough to keep its states.
func TestLongBatches(t *testing.T) {
	dev := device(t, testISA(), 1)
	for _, c := range []testCell{{"dyck", 4, dyck}, overlapCells[0]} {
		t.Run(c.name, func(t *testing.T) {
			g := training(t, c)
			active := make([]int, 165)
			for i := range active {
				active[i] = 400
			}
			p := newProblem(g, active, 5)
			if opts := bounds(p, 0); !slices.Equal(inChunks(t, compiled(t, g, dev, opts), p, 125), inChunks(t, unshared(t, g, dev, opts), p, 125)) {
				t.Error("other bits than with kept states")
			}
		})
	}
}

// withHead builds an LSTM. The function head computes the logits from the outputs of
// the LSTM at the steps with a prediction.
func withHead(t *testing.T, head func(b *stepgraph.Builder, y *node) *node) *stepgraph.Graph {
	t.Helper()
	g, err := stepgraph.Build(stepgraph.Config{Training: true, Seed: 3}, func(b *stepgraph.Builder) {
		x := b.Gather(b.Param(param("E", vocabulary, 4)), b.Token())
		logits := head(b, b.ExampleRows(lstm(b, x)))
		b.SetOutput("prob", b.Softmax(logits, classes))
		b.SetLoss(b.CrossEntropy(logits, b.Target()))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Differentiate(); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestHeads checks that neither the size of the blocks of examples nor leaving out the copies
// of rows changes a bit, however the logits are computed.
func TestHeads(t *testing.T) {
	w := func(b *stepgraph.Builder, name string, cols int) *node { return b.Param(param(name, 6, cols)) }
	for name, head := range map[string]func(b *stepgraph.Builder, y *node) *node{ // each head is a separate subtest
		"slice of tanh": func(b *stepgraph.Builder, y *node) *node {
			return b.Slice(b.Tanh(b.MatMul(y, w(b, "V", 6))), 1, classes, 1)
		},
		"slice of product": func(b *stepgraph.Builder, y *node) *node {
			return b.Slice(b.MatMul(y, w(b, "V", 6)), 1, classes, 1)
		},
		"parts": func(b *stepgraph.Builder, y *node) *node {
			return b.Concat(b.Tanh(b.MatMul(y, w(b, "V", 2))), b.RowDot(y, y))
		},
		"parts of parts": func(b *stepgraph.Builder, y *node) *node {
			z := b.Tanh(b.MatMul(y, w(b, "V", 4)))
			return b.Concat(b.Slice(z, 2, 2, 1), b.Slice(z, 0, 1, 1))
		},
		"bias": func(b *stepgraph.Builder, y *node) *node {
			return b.AddRow(b.Add(b.MatMul(y, w(b, "V", 3)), b.Tanh(b.MatMul(y, w(b, "V2", 3)))), b.Param(param("B", 1, 3)))
		},
		"tanh of itself": func(b *stepgraph.Builder, y *node) *node { // takes the place of the rows that are gathered
			return b.MatMul(b.Tanh(y), w(b, "V", 3))
		},
		"gate": func(b *stepgraph.Builder, y *node) *node {
			return b.Add(b.MatMul(b.Mul(y, b.Sigmoid(y)), w(b, "V", 3)), b.Slice(b.OneMinus(y), 2, 3, 1))
		},
		"itself": func(b *stepgraph.Builder, y *node) *node { return b.Slice(y, 0, 3, 1) },
		"lookup by example": func(b *stepgraph.Builder, y *node) *node {
			hint := b.Gather(b.Param(param("T", classes, 3)), b.Target()) // its gradient is a sum over examples that cannot continue from block to block
			return b.Add(b.MatMul(y, w(b, "V", 3)), hint)
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := withHead(t, head)
			active := make([]int, 15)
			for i := range active {
				active[i] = 40
			}
			p := newProblem(g, active, 5)
			dev := device(t, testISA(), 1)
			for _, p := range []*problem{p, p.everyRow()} {
				opts := bounds(p, 0)
				plain := unshared(t, g, dev, opts)
				plain.codeInOrder = nil
				want := outcome(t, plain, p)
				for _, rows := range []int{0, 256, 1024} {
					opts.HeadRows = rows
					if !slices.Equal(outcome(t, compiled(t, g, dev, opts), p), want) {
						t.Errorf("%d examples in blocks of %d have other bits", p.examples, rows)
					}
				}
				if !slices.Equal(outcome(t, unshared(t, g, dev, opts), p), want) {
					t.Errorf("%d examples without sharing of memory have other bits", p.examples)
				}
			}
			// A batch that continues another one reads the states after it.
			p = newProblem(g, ragged, 5).everyRow()
			with, without := compiled(t, g, dev, bounds(p, 0)), compiled(t, g, dev, bounds(p, 0))
			without.codeInOrder = nil
			if !slices.Equal(inChunks(t, with, p, 1, 3), inChunks(t, without, p, 1, 3)) {
				t.Error("a batch that continues one without copies of rows has other bits")
			}
		})
	}
}

// TestDeepTables checks that a graph compiles fast even if the number of its paths to an
// input doubles with each layer.
func TestDeepTables(t *testing.T) {
	g := build(t, stepgraph.Config{Training: true, Seed: 3}, 4, func(b *stepgraph.Builder, x *node) *node {
		for range 40 {
			x = b.Mul(b.Tanh(x), b.Sigmoid(x))
		}
		return x
	})
	if _, err := Format(g, Options{MaxStrings: 5, MaxRows: 27, MaxSteps: 8, MaxExamples: 20}); err != nil {
		t.Fatal(err)
	}
}

// TestBackwardTwice checks that Backward panics unless Forward has run since the
// last Backward.
func TestBackwardTwice(t *testing.T) {
	g := training(t, testCells[0])
	p := newProblem(g, ragged, 5)
	vm := compiled(t, g, device(t, testISA(), 1), bounds(p, 0))
	refuses := func(when string) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("Backward runs %s", when)
			}
		}()
		vm.Backward()
	}
	refuses("without a batch")
	p.load(t, begin(t, vm, p))
	refuses("before Forward")
	outcome(t, vm, p)
	refuses("again")
}
