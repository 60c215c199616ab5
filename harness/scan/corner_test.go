package scan

import (
	"slices"
	"testing"

	"pushdown/harness/stepgraph"
)

// The networks in this file come from no paper. Each function builds a step of one network,
// which makes the planner take a path that the other test networks do not take.

// overlappingParts reads overlapping parts of a sum, and the left and right thirds of a
// product. In the backward pass, the gradients of these parts are added into the gradients
// of the whole sum and the whole product, from which the gradients of the weights are
// computed.
func overlappingParts(b *stepgraph.Builder, x *node) *node {
	const h = 4
	hid := b.State(stepgraph.StateSpec{Name: "h", Width: h})
	pre := b.Add(b.MatMul(x, b.Param(param("W", 4, 4*h))), b.MatMul(hid, b.Param(param("U", h, 4*h))))
	left, right, spread := b.Slice(pre, 0, h, 1), b.Slice(pre, 2, h, 1), b.Slice(pre, 1, h, 3)
	two := b.MatMul(hid, b.Param(param("V", h, 3*h))) // its middle part is not read
	next := b.Tanh(b.Add(b.Add(b.Mul(left, b.Sigmoid(right)), spread), b.Mul(b.Slice(two, 0, h, 1), b.Slice(two, 2*h, h, 1))))
	b.SetNext(hid, next)
	return next
}

// delay computes a value y from the input alone and carries it over two steps. The gradient
// of y comes from the following steps. Since no state has an influence on y, only phases
// outside the backward loop read this gradient.
func delay(b *stepgraph.Builder, x *node) *node {
	const h = 4
	one, two := b.State(stepgraph.StateSpec{Name: "one", Width: h, Init: 0.5}), b.State(stepgraph.StateSpec{Name: "two", Width: h})
	y := b.Tanh(b.Affine(x, b.Param(param("W", 4, h)), b.Param(param("bias", 1, h))))
	b.SetNext(two, one)
	b.SetNext(one, y)
	return b.Add(b.MatMul(one, b.Param(param("A", h, h))), b.MatMul(two, b.Param(param("B", h, h))))
}

// swap exchanges two states and leaves a third unchanged.
func swap(b *stepgraph.Builder, x *node) *node {
	const h = 3
	one, two := b.State(stepgraph.StateSpec{Name: "one", Width: h, Init: 0.5}), b.State(stepgraph.StateSpec{Name: "two", Width: h})
	same := b.State(stepgraph.StateSpec{Name: "same", Width: h, Init: 0.25})
	b.SetNext(one, two)
	b.SetNext(two, b.Tanh(b.Add(b.Mul(one, same), b.MatMul(x, b.Param(param("W", 4, h))))))
	b.SetNext(same, same)
	return b.Mul(one, two)
}

// superposition adds two pushes on one stack and a push on another. The gradients of
// all three pushes are computed from the gradient of the sum.
func superposition(b *stepgraph.Builder, x *node) *node {
	const depth = 5
	s := b.State(stepgraph.StateSpec{Name: "s", Width: depth, Stacks: 1, Init: -0.5})
	r := b.State(stepgraph.StateSpec{Name: "r", Width: depth, Stacks: 1, Init: 0.25})
	w := func(name string) *node { return b.Sigmoid(b.MatMul(x, b.Param(param(name, 4, 1)))) }
	v := func(name string) *node { return b.ToStackMajor(b.MatMul(x, b.Param(param(name, 4, 1))), 1) }
	push, pop, u := w("e"), w("f"), v("u")
	next := b.Add(b.Add(
		b.Push(s, w("a"), w("b"), v("v"), 1, -1),
		b.Push(s, w("c"), w("d"), v("w"), 1, 0.5)),
		b.PushNoop(r, push, pop, w("g"), u, 1, 2))
	b.SetNext(s, b.Apply(stepgraph.Op{Kind: stepgraph.Scale, F: [2]float64{0.5}}, next))
	b.SetNext(r, b.Push(r, push, pop, u, 1, 2))
	return b.Top(next, 3)
}

// tapes adds two moves of one list and a move of another. The moves have different empty
// values and different positions of the head. The gradients of all three moves are
// computed from the gradient of the sum.
func tapes(b *stepgraph.Builder, x *node) *node {
	const depth = 6
	s := b.State(stepgraph.StateSpec{Name: "s", Width: depth, Stacks: 1, Init: -0.5})
	r := b.State(stepgraph.StateSpec{Name: "r", Width: depth, Stacks: 1, Init: 0.25})
	w := func(name string) *node { return b.Sigmoid(b.MatMul(x, b.Param(param(name, 4, 1)))) }
	v := func(name string) *node { return b.ToStackMajor(b.MatMul(x, b.Param(param(name, 4, 1))), 1) }
	tape := func(head int, empty float64) stepgraph.ListShape {
		return stepgraph.ListShape{Cell: 1, Head: head, Empty: empty}
	}
	left, right, insert, u := w("e"), w("f"), w("g"), v("u")
	next := b.Add(b.Add(
		b.MoveList(tape(2, -0.5), s, w("a"), w("b"), w("c"), nil, v("v")),
		b.MoveList(tape(3, 0.5), s, w("h"), w("i"), w("j"), w("k"), v("w"))),
		b.MoveList(tape(2, 0.25), r, left, right, insert, nil, u))
	b.SetNext(s, b.Apply(stepgraph.Op{Kind: stepgraph.Scale, F: [2]float64{0.5}}, next))
	b.SetNext(r, b.MoveList(tape(4, 0.25), r, left, right, b.StopGrad(insert), nil, u))
	return b.Cells(next, 1, 3)
}

// peek adds a value to the top of the next stack and reads the two top cells of the
// sum. The stack that is carried to the following step does not contain the value.
func peek(b *stepgraph.Builder, x *node) *node {
	s := b.State(stepgraph.StateSpec{Name: "s", Width: 6, Stacks: 1, Init: 0.5})
	g := b.Sigmoid(b.MatMul(x, b.Param(param("W", 4, 2))))
	v := b.ToStackMajor(b.Slice(g, 1, 1, 1), 1)
	next := b.Push(s, b.Slice(g, 0, 1, 1), b.OneMinus(b.Slice(g, 0, 1, 1)), v, 1, 0)
	b.SetNext(s, next)
	return b.Top(b.AddTop(next, v), 2)
}

// shared adds two biases to one value, so both biases have the same gradient. It also has
// a value computed from parameters alone, clipped and stopped gradients, and a one-hot
// choice.
func shared(b *stepgraph.Builder, x *node) *node {
	const h = 4
	hid := b.State(stepgraph.StateSpec{Name: "h", Width: h})
	w := b.MulRow(b.Param(param("W", h, h)), b.Tanh(b.Param(param("scale", 1, h))))
	pre := b.AddRow(b.AddRow(b.Add(x, b.MatMul(hid, w)), b.Param(param("bias", 1, h))), b.Param(param("offset", 1, h)))
	next := b.ClipGrad(b.Tanh(b.Sub(pre, b.Scale(b.StopGrad(hid), 0.25))), 1e-3)
	b.SetNext(hid, next)
	return b.Mul(next, b.OneHot(pre, 2))
}

// attend computes a weighted sum of the two halves of the carried state. A softmax over
// groups of columns has six columns: two of them are the weights, a third is read elsewhere,
// and three are unused.
func attend(b *stepgraph.Builder, x *node) *node {
	const h = 4
	hid := b.State(stepgraph.StateSpec{Name: "h", Width: 2 * h})
	w := b.Softmax(b.MatMul(b.Concat(x, hid), b.Param(param("W", 4+2*h, 6))), 2)
	mixed := b.WeightedSum(b.Slice(w, 2, 2, 1), hid)
	next := b.Concat(b.Tanh(b.Add(mixed, x)), b.MulCol(b.Slice(hid, 1, h, 2), b.Slice(w, 5, 1, 1)))
	b.SetNext(hid, next)
	return b.Concat(mixed, b.RowDot(b.Slice(next, 0, h, 1), x))
}

// unread carries a state s that no step reads and that gets no gradient.
func unread(b *stepgraph.Builder, x *node) *node {
	s, h := b.State(stepgraph.StateSpec{Name: "s", Width: 4}), b.State(stepgraph.StateSpec{Name: "h", Width: 4})
	y := b.Tanh(b.Add(b.MatMul(x, b.Param(param("W", 4, 4))), h))
	b.SetNext(s, b.Sigmoid(y))
	b.SetNext(h, y)
	return y
}

// rotate moves the lower three cells of a stack to the top, and the two top cells to
// the bottom.
func rotate(b *stepgraph.Builder, x *node) *node {
	s := b.State(stepgraph.StateSpec{Name: "s", Width: 5, Stacks: 2, Init: 0.5})
	cut := func(from, n int) *node {
		return b.Apply(stepgraph.Op{Kind: stepgraph.SliceRows, I: [3]int{from, n, 1}}, s)
	}
	turned := b.Apply(stepgraph.Op{Kind: stepgraph.ConcatRows}, cut(2, 3), cut(0, 2))
	w := b.Sigmoid(b.MatMul(x, b.Param(param("W", 4, 2))))
	next := b.AddTop(b.Apply(stepgraph.Op{Kind: stepgraph.ScaleCols}, turned, w), b.ToStackMajor(b.MatMul(x, b.Param(param("V", 4, 2))), 1))
	b.SetNext(s, next)
	return b.Top(next, 3)
}

// passedPart adds z to the state h, and also reads a part of z. The gradient of h + z is used
// twice: h passes it to the previous step, and it is the first term of the gradient of z. So
// the second term, the gradient of the part, must not be added to the first term in place.
func passedPart(b *stepgraph.Builder, x *node) *node {
	h, k := b.State(stepgraph.StateSpec{Name: "h", Width: 4}), b.State(stepgraph.StateSpec{Name: "k", Width: 4})
	z := b.Tanh(b.Add(b.MatMul(k, b.Param(param("W", 4, 4))), x))
	part := b.Slice(z, 1, 2, 1) // built before h + z, so that its gradient is added to the gradient from h + z
	next := b.Tanh(b.Add(h, z))
	b.SetNext(h, next)
	b.SetNext(k, b.Tanh(b.MatMul(part, b.Param(param("V", 2, 4)))))
	return b.Concat(next, k)
}

// passedSum is passedPart with the next state h + z instead of tanh(h + z). So h passes the
// gradient of its next value to the previous step unchanged.
func passedSum(b *stepgraph.Builder, x *node) *node {
	h, k := b.State(stepgraph.StateSpec{Name: "h", Width: 4}), b.State(stepgraph.StateSpec{Name: "k", Width: 4})
	z := b.Tanh(b.Add(b.MatMul(k, b.Param(param("W", 4, 4))), x))
	part := b.Slice(z, 1, 2, 1)
	next := b.Add(h, z)
	b.SetNext(h, next)
	b.SetNext(k, b.Tanh(b.MatMul(part, b.Param(param("V", 2, 4)))))
	return b.Tanh(b.Concat(b.Tanh(next), k))
}

// staticPart is passedPart for values that are computed from parameters alone. The gradient
// of W1 is also the first term of the gradient of tanh(W2), so the second term must not be
// added to the first term in place.
func staticPart(b *stepgraph.Builder, x *node) *node {
	h := b.State(stepgraph.StateSpec{Name: "h", Width: 4})
	one, two := b.Param(param("W1", 1, 4)), b.Tanh(b.Param(param("W2", 1, 4)))
	part := b.Tanh(b.Slice(two, 0, 2, 1))
	next := b.Tanh(b.AddRow(b.Add(x, h), b.Tanh(b.Add(one, two))))
	b.SetNext(h, next)
	return b.Concat(next, b.AddRow(b.Slice(x, 0, 2, 1), part))
}

// wideNext carries a product that is wide enough to merge with another. The two must not
// merge, because a next state has a fixed place.
func wideNext(b *stepgraph.Builder, x *node) *node {
	const h = 32
	one, two := b.State(stepgraph.StateSpec{Name: "one", Width: h}), b.State(stepgraph.StateSpec{Name: "two", Width: h})
	b.SetNext(one, b.MatMul(x, b.Param(param("W", 4, h))))
	b.SetNext(two, b.Tanh(b.Add(b.MatMul(x, b.Param(param("V", 4, h))), one)))
	return b.Concat(b.Slice(one, 0, 3, 1), b.Slice(two, 0, 3, 1))
}

// transposed multiplies two states by transposed weights. The gradients of the states are
// products that could merge. They must not merge, because they are passed to the previous
// step.
func transposed(b *stepgraph.Builder, x *node) *node {
	const h = 33
	by := func(x, w *node) *node { return b.Apply(stepgraph.Op{Kind: stepgraph.MatMul, I: [3]int{0, 1}}, x, w) }
	one, two := b.State(stepgraph.StateSpec{Name: "one", Width: h}), b.State(stepgraph.StateSpec{Name: "two", Width: h})
	y := b.Tanh(b.Add(b.Add(by(one, b.Param(param("W", 4, h))), by(two, b.Param(param("V", 4, h)))), x))
	b.SetNext(one, b.Tanh(b.MatMul(y, b.Param(param("A", 4, h)))))
	b.SetNext(two, b.Tanh(b.MatMul(y, b.Param(param("B", 4, h)))))
	return y
}

// chained reads four parts of one value. In the backward pass, the gradients of the parts are
// added in place, one after the other, to a value that nothing else reads.
func chained(b *stepgraph.Builder, x *node) *node {
	h := b.State(stepgraph.StateSpec{Name: "h", Width: 6})
	z := b.Tanh(b.Add(b.MatMul(x, b.Param(param("W", 4, 6))), b.MatMul(h, b.Param(param("U", 6, 6)))))
	y := b.Add(b.Add(b.Slice(z, 0, 3, 1), b.Sigmoid(b.Slice(z, 1, 3, 1))), b.Mul(b.Slice(z, 2, 3, 1), b.Slice(z, 0, 3, 2)))
	b.SetNext(h, b.Mul(z, b.Sigmoid(b.MatMul(y, b.Param(param("V", 3, 6))))))
	return y
}

// addToPart adds a value to a part of a slice of z. The slice must not be changed in the
// memory of z, because z is read later.
func addToPart(b *stepgraph.Builder, x *node) *node {
	h := b.State(stepgraph.StateSpec{Name: "h", Width: 6})
	z := b.Tanh(b.Add(b.MatMul(x, b.Param(param("W", 4, 6))), h))
	y := b.Apply(stepgraph.Op{Kind: stepgraph.AddAtCols, I: [3]int{1, 0, 1}}, b.Slice(z, 0, 3, 1), b.Sigmoid(b.Slice(z, 3, 2, 1)))
	b.SetNext(h, b.Tanh(b.Add(z, b.MatMul(y, b.Param(param("V", 3, 6))))))
	return b.Concat(y, z)
}

var cornerCells = []testCell{{"overlappingParts", 4, overlappingParts}, {"delay", 4, delay}, {"swap", 3, swap}, {"superposition", 3, superposition}, {"tapes", 3, tapes},
	{"peek", 2, peek}, {"shared", 4, shared}, {"attend", 5, attend},
	{"unread", 4, unread}, {"rotate", 6, rotate},
	{"passedPart", 8, passedPart}, {"passedSum", 8, passedSum}, {"staticPart", 6, staticPart}, {"wideNext", 6, wideNext}, {"transposed", 4, transposed}, {"chained", 3, chained},
	{"addToPart", 9, addToPart}}

// allCells are the test cells and the corner cells.
var allCells = append(append([]testCell(nil), testCells...), cornerCells...)

// TestCornersAgainstOracle is TestAgainstOracle for the corner cells.
func TestCornersAgainstOracle(t *testing.T) {
	againstOracle(t, cornerCells)
}

// TestGradScaleScalesClipping checks that gradients of a scaled loss are clipped at
// the scaled limit.
func TestGradScaleScalesClipping(t *testing.T) {
	for _, c := range cornerCells {
		g := training(t, c)
		p := newProblem(g, ragged, 5)
		dev := device(t, testISA(), 1)
		opts := bounds(p, 0)
		want := outcome(t, compiled(t, g, dev, opts), p)
		opts.GradScale = 40
		if got := outcome(t, compiled(t, g, dev, opts), p); !slices.Equal(got, want) {
			t.Errorf("%s: gradients of a loss scaled by 2^40 differ from those of the loss", c.name)
		}
	}
}
