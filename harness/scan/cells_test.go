package scan

import (
	"testing"

	"gorgonia.org/gorgonia"

	"pushdown/harness/stepgraph"
)

// This file holds the recurrent cells that most tests run. Together they use every kind
// of value: gates that are slices of one product, products that are merged into one,
// lists, stacks with and without no-op and with cells of one and of two numbers,
// dropout, noise, a run-time scalar, a counter, mixtures, and a state that is read
// after the loop over the steps.

type node = gorgonia.Node

const vocabulary, classes = 5, 3

// build adds an embedding, a read-out and a loss to a step.
func build(t *testing.T, cfg stepgraph.Config, width int, step func(b *stepgraph.Builder, x *node) *node) *stepgraph.Graph {
	t.Helper()
	g, err := stepgraph.Build(cfg, func(b *stepgraph.Builder) {
		x := b.Gather(b.Param(param("E", vocabulary, 4)), b.Token())
		y := b.ExampleRows(step(b, x))
		logits := b.Affine(y, b.Param(param("W_o", width, classes)), b.Param(param("b_o", 1, classes)))
		b.SetOutput("prob", b.Softmax(logits, classes))
		b.SetLoss(b.CrossEntropy(logits, b.Target()))
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func param(name string, rows, cols int) stepgraph.Spec {
	return stepgraph.Spec{Name: name, Rows: rows, Cols: cols, Init: stepgraph.Init{Kind: stepgraph.Uniform, A: -0.8, B: 0.8}}
}

func lstm(b *stepgraph.Builder, x *node) *node {
	const h = 6
	hid, c := b.State(stepgraph.StateSpec{Name: "h", Width: h}), b.State(stepgraph.StateSpec{Name: "c", Width: h, Init: 0.25})
	wx, wh, bias := b.Param(param("W_x", 4, 4*h)), b.Param(param("W_h", h, 4*h)), b.Param(param("b", 1, 4*h))
	gate := b.Split(b.AddRow(b.Add(b.MatMul(x, wx), b.MatMul(hid, wh)), bias), 4)
	next := b.Add(b.Mul(b.Sigmoid(gate[1]), c), b.Mul(b.Sigmoid(gate[0]), b.Tanh(gate[2])))
	out := b.Mul(b.Sigmoid(gate[3]), b.Tanh(next))
	b.SetNext(hid, out)
	b.SetNext(c, next)
	return out
}

// gatedRNN has two products of the input and two products of the state; the planner can
// merge the two of each kind into one. It also has a product of two parameters, noise,
// dropout and a temperature.
func gatedRNN(b *stepgraph.Builder, x *node) *node {
	const h = 5
	hid := b.State(stepgraph.StateSpec{Name: "h", Width: h})
	z := b.Sigmoid(b.Add(b.MatMul(x, b.Param(param("W_z", 4, h))), b.MatMul(hid, b.Param(param("U_z", h, h)))))
	tied := b.MatMul(b.Param(param("A", h, 2)), b.Param(param("C", 2, h)))
	cand := b.Add(b.MatMul(x, b.Param(param("W_c", 4, h))), b.MatMul(hid, b.Param(param("U_c", h, h))))
	cand = b.Tanh(b.MulOne(b.Add(cand, b.MatMul(hid, tied)), b.Scalar("temperature")))
	next := b.Add(b.Mul(b.OneMinus(z), cand), b.Mul(z, b.Noise("state", 0.1, 0.2, hid)))
	b.SetNext(hid, next)
	return b.Dropout("out", 0.3, next)
}

// stackRNN has two stacks with cells of one number. One of their actions is no-op.
func stackRNN(b *stepgraph.Builder, x *node) *node {
	const h, depth, stacks, k = 6, 7, 2, 2
	hid := b.State(stepgraph.StateSpec{Name: "h", Width: h})
	s := b.State(stepgraph.StateSpec{Name: "stack", Width: depth, Stacks: stacks, Init: -1})
	pre := b.Add(b.MatMul(x, b.Param(param("U", 4, h))), b.MatMul(hid, b.Param(param("R", h, h))))
	next := b.Sigmoid(b.Add(pre, b.MatMul(b.Top(s, k), b.Param(param("P", stacks*k, h)))))
	a := b.Softmax(b.MatMul(next, b.Param(param("A", h, 3*stacks))), 3)
	v := b.ToStackMajor(b.Sigmoid(b.MatMul(next, b.Param(param("D", h, stacks)))), 1)
	after := b.PushNoop(s, b.Slice(a, 0, stacks, 3), b.Slice(a, 1, stacks, 3), b.Slice(a, 2, stacks, 3), v, 1, -1)
	b.SetNext(hid, next)
	b.SetNext(s, after)
	return next
}

// listRNN has two lists with cells of one number. One of their actions is no-op.
func listRNN(b *stepgraph.Builder, x *node) *node {
	const h, depth, lists, head = 6, 7, 2, 3
	s := b.State(stepgraph.StateSpec{Name: "list", Width: depth, Stacks: lists, Init: -1})
	next := b.Sigmoid(b.Add(b.MatMul(x, b.Param(param("U", 4, h))), b.MatMul(b.Cells(s, head-1, 2), b.Param(param("P", 2*lists, h)))))
	a := b.Softmax(b.MatMul(next, b.Param(param("A", h, 4*lists))), 4)
	v := b.ToStackMajor(b.Sigmoid(b.MatMul(next, b.Param(param("D", h, lists)))), 1)
	move := func(i int) *node { return b.Slice(a, i, lists, 4) }
	b.SetNext(s, b.MoveList(stepgraph.ListShape{Cell: 1, Head: head, Empty: -1}, s, move(0), move(1), move(2), move(3), v))
	return next
}

// dyck resembles the Dyck-RNN with cells of two numbers, with two differences: it adds the
// pushed value to the top of the stack after each push, and its read-out reads two cells
// instead of one.
func dyck(b *stepgraph.Builder, x *node) *node {
	s := b.State(stepgraph.StateSpec{Name: "stack", Width: 8, Stacks: 1})
	g := b.Sigmoid(b.MatMul(x, b.Param(param("W_proj", 4, 1))))
	v := b.ToStackMajor(b.MatMul(x, b.Param(param("W_hx", 4, 2))), 2)
	next := b.AddTop(b.Push(s, g, b.OneMinus(g), v, 2, 0.5), v)
	b.SetNext(s, next)
	return b.Top(next, 4)
}

// mixture is a cell with a counter and with attention, which weights the three blocks of
// columns of a product.
func mixture(b *stepgraph.Builder, x *node) *node {
	const h, blocks = 4, 3
	hid := b.State(stepgraph.StateSpec{Name: "h", Width: h})
	key := b.State(stepgraph.StateSpec{Name: "key", Width: blocks, Init: 1.0 / blocks})
	count := b.State(stepgraph.StateSpec{Name: "count", Width: 1, NoGrad: true})
	v := b.Softmax(b.MatMul(b.Concat(key, hid, x), b.Param(param("W_proj", blocks+h+4, blocks))), blocks)
	r := b.WeightedSum(v, b.MatMul(hid, b.Param(param("W", h, blocks*h))))
	next := b.Tanh(b.MulRow(b.Add(r, b.MatMul(x, b.Param(param("W_hx", 4, h)))), b.Param(param("scale", 1, h))))
	n := b.Add(count, b.Threshold(b.RowDot(next, r), 0))
	b.SetNext(hid, next)
	b.SetNext(key, v)
	b.SetNext(count, n)
	return b.MulCol(b.Concat(next, hid), b.Sigmoid(b.StopGrad(n)))
}

type testCell struct {
	name  string
	width int
	step  func(b *stepgraph.Builder, x *node) *node
}

var testCells = []testCell{{"lstm", 6, lstm}, {"gatedrnn", 5, gatedRNN}, {"stackrnn", 6, stackRNN}, {"listrnn", 6, listRNN}, {"dyck", 4, dyck}, {"mixture", 8, mixture}}
