package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// RNN is the simple recurrent network [elman], the baseline of [resurgence]:
//
//	h_t = tanh(W_x x_t + W_h h_{t-1} + b)
//	y_t = h_t
//
// with one bias. The papers do not say how many; two, as libraries have, count
// h more and compute the same.
type RNN struct {
	Hidden int // h
}

// String names the cell and its size.
func (c RNN) String() string { return fmt.Sprintf("rnn h=%d", c.Hidden) }

// Params is W_x [in, h], W_h [h, h], b [1, h].
func (c RNN) Params(in int) []stepgraph.Spec { return affine(in, c.Hidden, 1) }

// affine lists W_x, W_h and b of gates maps of a cell with h units, the maps
// side by side.
func affine(in, h, gates int) []stepgraph.Spec {
	return []stepgraph.Spec{
		{Name: "W_x", Rows: in, Cols: gates * h, Init: uniform(h)},
		{Name: "W_h", Rows: h, Cols: gates * h, Init: uniform(h)},
		{Name: "b", Rows: 1, Cols: gates * h, Init: uniform(h)},
	}
}

// preactivation is W_x x_t + b + W_h h_{t-1}. The part of x comes first, so
// that it is computed for all steps at once.
func preactivation(b *stepgraph.Builder, x, h *stepgraph.Node, params []*stepgraph.Node) *stepgraph.Node {
	return b.Add(b.Affine(x, params[0], params[2]), b.MatMul(h, params[1]))
}

// State is h.
func (c RNN) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}}
}

// Step is the equation above.
func (c RNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	h := b.Tanh(preactivation(b, x, state[0], params))
	return h, []*stepgraph.Node{h}
}

// Output is h.
func (c RNN) Output() int { return c.Hidden }
