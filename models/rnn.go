package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// RNN is the simple recurrent network [elman], the baseline of [resurgence]
// (equation 1):
//
//	h_t = tanh(W_x x_t + W_h h_{t-1} + b)
//	y_t = h_t
//
// with one bias. The papers do not give the number of biases. Two biases, as in common
// libraries, would add h parameters and compute the same.
type RNN struct {
	Hidden int // h
}

// String returns the name and size of the cell.
func (c RNN) String() string { return fmt.Sprintf("rnn h=%d", c.Hidden) }

// Params returns W_x [in, h], W_h [h, h], b [1, h].
func (c RNN) Params(in int) []stepgraph.Spec { return affine(in, c.Hidden, 1) }

// Count returns h (in + h + 1).
func (c RNN) Count(in int) int { return c.Hidden * (in + c.Hidden + 1) }

// Output returns the width of h.
func (c RNN) Output() int { return c.Hidden }

// State returns h.
func (c RNN) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}}
}

// Step implements the equation above.
func (c RNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p, s := stepgraph.ByName(params), stepgraph.ByName(state)
	h := b.Tanh(b.Add(b.Affine(x, p("W_x"), p("b")), b.MatMul(s("h"), p("W_h"))))
	return h, []*stepgraph.Node{h}
}
