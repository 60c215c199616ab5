package models

import (
	"fmt"
	"slices"

	"pushdown/harness/stepgraph"
)

// InputInverseTemperature names the input of an [AttentionLSTM] that holds 1/tau,
// the reciprocal of the temperature. It is a run-time scalar.
const InputInverseTemperature = "1/temperature"

// AttentionLSTM is the second-order LSTM ([second-order-lstm], section 3.2.2,
// equations a to e). It mixes S cells with weights that the input symbol determines.
// Each cell is an [LSTM] with its own weights, and all cells start from the same mixed
// state:
//
//	e_t = V_att x_t
//	alpha_t = softmax(e_t / tau)
//	h^s_t, c^s_t = LSTM_s(x_t, h_{t-1}, c_{t-1})    s = 1 .. S
//	h_t = alpha_t[1] h^1_t + .. + alpha_t[S] h^S_t
//	c_t = alpha_t[1] c^1_t + .. + alpha_t[S] c^S_t
//	y_t = h_t
//
// tau falls during training. As it goes to zero, alpha_t becomes 1 for one cell and 0
// for the others. The paper tests with an "arbitrarily low" temperature; Sharp is that
// limit. alpha_t depends only on the input symbol, so it is computed outside the loop
// over time. V_att has no bias.
//
// W_x, W_h and b hold the columns of all cells side by side: first the columns for i_t of
// the cells 1 to S, then those for f_t, g_t and o_t, which are named as in the equations
// of an [LSTM]. These parameters have the initial values of an LSTM. V_att starts
// uniform(-1/sqrt(e), 1/sqrt(e)), because it is a layer that reads e values and not part
// of a cell.
type AttentionLSTM struct {
	Hidden int  // h
	Cells  int  // S
	Sharp  bool // alpha_t is 1 at the largest e_t (the first if several are equal), else 0; for evaluation only: V_att gets no gradient
}

// String returns the name and sizes of the cell.
func (c AttentionLSTM) String() string {
	name := fmt.Sprintf("attention-lstm h=%d S=%d", c.Hidden, c.Cells)
	if c.Sharp {
		name += " sharp"
	}
	return name
}

// Params returns W_x [in, 4Sh], W_h [h, 4Sh], b [1, 4Sh], V_att [in, S].
func (c AttentionLSTM) Params(in int) []stepgraph.Spec {
	return append(affine(in, c.Hidden, 4*c.Cells), stepgraph.Spec{Name: "V_att", Rows: in, Cols: c.Cells, Init: uniform(in)})
}

// Count returns 4Sh (in + h + 1) + in S. The paper does not count V_att, the second
// term.
func (c AttentionLSTM) Count(in int) int {
	return c.Cells*LSTM{Hidden: c.Hidden}.Count(in) + in*c.Cells
}

// State returns h and c.
func (c AttentionLSTM) State() []stepgraph.StateSpec { return LSTM{Hidden: c.Hidden}.State() }

// Output returns the width of h.
func (c AttentionLSTM) Output() int { return c.Hidden }

// Step implements the equations above.
func (c AttentionLSTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p := stepgraph.ByName(params)
	scores := b.MatMul(x, p("V_att"))
	if c.Sharp {
		return mixedCells(b, x, b.OneHot(scores, c.Cells), stepgraph.ByName(state), p)
	}
	alpha := b.Softmax(b.MulOne(scores, b.Scalar(InputInverseTemperature)), c.Cells)
	return mixedCells(b, x, alpha, stepgraph.ByName(state), p)
}

// mixedCells runs one step of S cells that start from the same state. It mixes
// their results with the weights alpha, [B, S].
func mixedCells(b *stepgraph.Builder, x, alpha *stepgraph.Node, s, p lookup) (*stepgraph.Node, []*stepgraph.Node) {
	cells := alpha.Shape()[1]
	pre := b.Split(preactivation(b, x, s("h"), p), 4)
	hs, cs := gated(b, pre, concat(b, slices.Repeat([]*stepgraph.Node{s("c")}, cells)))
	h, c := b.WeightedSum(alpha, hs), b.WeightedSum(alpha, cs)
	return h, []*stepgraph.Node{h, c}
}
