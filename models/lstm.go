package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// LSTM is long short-term memory [lstm] with forget gates [forget] and without
// peepholes, the baseline of [resurgence] and [second-order-lstm]:
//
//	i_t = sigma(W_i x_t + U_i h_{t-1} + b_i)
//	f_t = sigma(W_f x_t + U_f h_{t-1} + b_f)
//	g_t = tanh (W_g x_t + U_g h_{t-1} + b_g)
//	o_t = sigma(W_o x_t + U_o h_{t-1} + b_o)
//	c_t = f_t (.) c_{t-1} + i_t (.) g_t
//	h_t = o_t (.) tanh(c_t)
//	y_t = h_t
//
// The matrices and biases of i, f, g and o are stored side by side: W_x holds W_i W_f W_g
// W_o, W_h holds U_i .. U_o, and b holds b_i .. b_o. i, f, g and o have one bias each.
// With two biases each, the counts of the cells would not round to the printed counts of
// [second-order-lstm]. Everything, including b_f, starts uniform(-1/sqrt(h), 1/sqrt(h)).
// If Forget is not zero, b_f starts at Forget and the other biases at 0.
type LSTM struct {
	Hidden int     // h
	Forget float64 // initial b_f, with the other biases at 0; 0: all start uniform
}

// String returns the name and size of the cell.
func (c LSTM) String() string {
	if c.Forget != 0 {
		return fmt.Sprintf("lstm h=%d forget=%v", c.Hidden, c.Forget)
	}
	return fmt.Sprintf("lstm h=%d", c.Hidden)
}

// Params returns W_x [in, 4h], W_h [h, 4h], b [1, 4h].
func (c LSTM) Params(in int) []stepgraph.Spec {
	list := affine(in, c.Hidden, 4)
	if c.Forget != 0 {
		start := make([]float32, 4*c.Hidden)
		for i := range c.Hidden {
			start[c.Hidden+i] = float32(c.Forget)
		}
		list[2].Init = stepgraph.Init{Kind: stepgraph.FromValues, Values: start}
	}
	return list
}

// Count returns 4h (in + h + 1).
func (c LSTM) Count(in int) int { return 4 * c.Hidden * (in + c.Hidden + 1) }

// Output returns the width of h.
func (c LSTM) Output() int { return c.Hidden }

// State returns h and c.
func (c LSTM) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}, {Name: "c", Width: c.Hidden}}
}

// Step implements the equations above.
func (c LSTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p, s := stepgraph.ByName(params), stepgraph.ByName(state)
	h, cell := gated(b, b.Split(preactivation(b, x, s("h"), p), 4), s("c"))
	return h, []*stepgraph.Node{h, cell}
}

// gated returns h_t and c_t for the pre-activations of i, f, g and o.
func gated(b *stepgraph.Builder, pre []*stepgraph.Node, c *stepgraph.Node) (h, next *stepgraph.Node) {
	i, f, g, o := b.Sigmoid(pre[0]), b.Sigmoid(pre[1]), b.Tanh(pre[2]), b.Sigmoid(pre[3])
	next = b.Add(b.Mul(f, c), b.Mul(i, g))
	return b.Mul(o, b.Tanh(next)), next
}
