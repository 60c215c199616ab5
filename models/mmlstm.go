package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// MMLSTM is the memory-matrix LSTM ([resurgence], equations 9 to 22): an LSTM in
// which the recurrent matrix of the candidate and of each gate is mixed as in
// [MMRNN], with four matrices and a key of its own. For u in i, f, g, o, g being the candidate that
// the paper calls c^,
//
//	v_{u,t} = softmax(W_u^proj [v_{u,t-1}; h_{t-1}; x_t])    v_{u,0} = (1/4, 1/4, 1/4, 1/4)
//	r_{u,t} = (v_{u,t}[1] W_u[1] + .. + v_{u,t}[4] W_u[4]) h_{t-1} + W_u^hx x_t + b_u
//
//	i_t, f_t, o_t = sigma(r_{i,t}), sigma(r_{f,t}), sigma(r_{o,t})
//	g_t = tanh(r_{g,t})
//	c_t = f_t (.) c_{t-1} + i_t (.) g_t
//	h_t = o_t (.) tanh(c_t)
//	y_t = h_t
//
// The text form of the paper sums 2 or T matrices in places; the counts that it
// states are those of 4. It prints no biases; b_u is our reading.
//
// The four maps stand side by side in the order i f g o, and behind them the
// parts of W_u^proj. All of it starts uniform(-1/sqrt(h), 1/sqrt(h)).
type MMLSTM struct {
	Hidden int // h
}

// String names the cell and its size.
func (c MMLSTM) String() string { return fmt.Sprintf("mmlstm h=%d", c.Hidden) }

// Params is W_x [in, 4h+16], W_h [h, 16h+16], W_v [4, 16], b [1, 4h].
func (c MMLSTM) Params(in int) []stepgraph.Spec { return mixtures(in, c.Hidden, 4) }

// Count is four times that of an [MMRNN].
func (c MMLSTM) Count(in int) int { return 4 * MMRNN{Hidden: c.Hidden}.Count(in) }

// State is h, c and v.
func (c MMLSTM) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}, {Name: "c", Width: c.Hidden}, keys(4)}
}

// Output is h.
func (c MMLSTM) Output() int { return c.Hidden }

// Step is the equations above.
func (c MMLSTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	s := byName(state)
	maps, v := mixed(b, x, s, byName(params), 4)
	h, cell := gated(b, maps, s("c"))
	return h, []*stepgraph.Node{h, cell, v}
}
