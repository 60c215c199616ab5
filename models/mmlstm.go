package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// MMLSTM is the memory-matrix LSTM ([resurgence], equations 9 to 22): an LSTM in which
// the recurrent matrix of the candidate and of each gate is a mixture as in [MMRNN],
// each with its own four matrices and key. For u in i, f, g, o, where g is the
// candidate that the paper calls c^,
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
// In places the formulas of the paper sum 2 or T matrices, but the counts that it
// states are those of 4 matrices. The paper prints no biases; b_u is our reading.
//
// In the parameters, the columns for i, f, g and o are laid out side by side in this order,
// followed by the parts of W_u^proj. Everything starts uniform(-1/sqrt(h), 1/sqrt(h)).
type MMLSTM struct {
	Hidden int // h
}

// String returns the name and size of the cell.
func (c MMLSTM) String() string { return fmt.Sprintf("mmlstm h=%d", c.Hidden) }

// Params returns W_x [in, 4h+16], W_h [h, 16h+16], W_v [4, 16], b [1, 4h].
func (c MMLSTM) Params(in int) []stepgraph.Spec { return mixtures(in, c.Hidden, 4) }

// Count returns four times the count of an [MMRNN].
func (c MMLSTM) Count(in int) int { return 4 * MMRNN{Hidden: c.Hidden}.Count(in) }

// State returns h, c and v.
func (c MMLSTM) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}, {Name: "c", Width: c.Hidden}, keys(4)}
}

// Output returns the width of h.
func (c MMLSTM) Output() int { return c.Hidden }

// Step implements the equations above.
func (c MMLSTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	s := stepgraph.ByName(state)
	maps, v := mixed(b, x, s, stepgraph.ByName(params), 4)
	h, cell := gated(b, maps, s("c"))
	return h, []*stepgraph.Node{h, cell, v}
}
