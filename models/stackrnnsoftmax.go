package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// StackRNNSoftmax is the Stack-RNN+Softmax [marnns], a baseline of [diffstk]: a
// recurrent network with a stack of vectors of width p:
//
//	hbar_t = h_{t-1} + W_sh S_{t-1}[0] + b_sh
//	h_t    = tanh(W x_t + b_1 + R hbar_t + b_2)
//	a_t    = softmax(W_a h_t + b_a)                           PUSH, POP
//	n_t    = sigma(W_n h_t + b_n)
//	S_t    = a[PUSH] [n_t; S_{t-1}[0..]] + a[POP] [S_{t-1}[1..]; 0]
//	y_t    = h_t
//
// Cells start at zero and POP shifts in zeros at the bottom. h has two biases, as in the
// library that the public program uses. Together they compute the same as one bias but
// learn twice as fast. The network in [marnns] predicts the set of symbols that may
// follow; here it has the heads of a [Recognizer].
type StackRNNSoftmax struct {
	Hidden   int // m
	Width    int // p
	Capacity int // cells of the stack

	// Noise is the standard deviation of the noise added to h_{t-1} in training, as in
	// [DiffStk].
	Noise float64
}

// NewStackRNNSoftmax returns a StackRNNSoftmax with the sizes of the public program
// and 8 units.
func NewStackRNNSoftmax() StackRNNSoftmax {
	return StackRNNSoftmax{Hidden: 8, Width: 5, Capacity: 104}
}

// String returns the name and sizes of the cell.
func (c StackRNNSoftmax) String() string {
	return noisy(fmt.Sprintf("stack-rnn-softmax m=%d p=%d capacity=%d", c.Hidden, c.Width, c.Capacity), c.Noise)
}

func (c StackRNNSoftmax) check() error {
	return withNoise(c.Noise, checkSizes(size{"m (hidden units)", 1, c.Hidden}, size{"p (numbers of a cell)", 1, c.Width}, size{"capacity (cells)", 1, c.Capacity}))
}

// Inputs returns the width of W.
func (c StackRNNSoftmax) Inputs() int { return c.Hidden }

// Output returns the width of h.
func (c StackRNNSoftmax) Output() int { return c.Hidden }

// Params returns R [m, m], b_1, b_2, W_sh [p, m], b_sh, W_a [m, 2+p] and b_a. The last
// p columns of W_a and b_a are W_n and b_n.
func (c StackRNNSoftmax) Params(int) []stepgraph.Spec { return controller(c.Hidden, c.Width, 2) }

// Count returns m^2 + 2m + m (p + 1) + (2 + p)(m + 1).
func (c StackRNNSoftmax) Count(int) int { return countController(c.Hidden, c.Width, 2) }

// controller lists the parameters of a network with a memory of vectors of width p
// and the given number of actions.
func controller(m, p, actions int) []stepgraph.Spec {
	return []stepgraph.Spec{weight("R", m, m), bias("b_1", m), bias("b_2", m), weight("W_sh", p, m), bias("b_sh", m),
		weight("W_a", m, actions+p), bias("b_a", actions+p)}
}

// countController returns the number of parameters that controller lists.
func countController(m, p, actions int) int {
	return m*m + 2*m + m*(p+1) + (actions+p)*(m+1)
}

// control returns h_t, the weights of the actions and the vector n_t. top is the
// topmost vector of the memory.
func control(b *stepgraph.Builder, x, h, top *stepgraph.Node, param lookup) (next *stepgraph.Node, actions []*stepgraph.Node, n *stepgraph.Node) {
	hbar := b.AddRow(b.Add(h, b.MatMul(top, param("W_sh"))), param("b_sh"))
	next = b.Tanh(b.AddRow(b.Add(b.AddRow(x, param("b_1")), b.MatMul(hbar, param("R"))), param("b_2")))
	said, p := b.Affine(next, param("W_a"), param("b_a")), param("W_sh").Shape()[0]
	k := said.Shape()[1] - p
	return next, b.Split(b.Softmax(b.Slice(said, 0, k, 1), k), k), b.Sigmoid(b.Slice(said, k, p, 1))
}

// State returns the stack and h.
func (c StackRNNSoftmax) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "stack", Width: c.Capacity * c.Width, Stacks: 1}, {Name: "h", Width: c.Hidden}}
}

// Step implements the equations above.
func (c StackRNNSoftmax) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	s := stepgraph.ByName(state)
	h, a, n := control(b, x, noise(b, s("h"), c.Noise), b.Top(s("stack"), c.Width), stepgraph.ByName(params))
	return h, []*stepgraph.Node{b.Push(s("stack"), a[0], a[1], b.ToStackMajor(n, c.Width), c.Width, 0), h}
}
