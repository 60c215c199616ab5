package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// F1LSTM is the LSTM baseline of [diffstk] (equations 11 to 16): the LSTM of [lstm]
// and [forget] with f1 in place of tanh,
//
//	i, f, o = sigma(U_* x_t + R_* h_{t-1} + b_*)
//	c_t     = f (.) c_{t-1} + i (.) f1(U x_t + R h_{t-1} + b)
//	h_t     = f1(c_t) (.) o
//
// The matrices and biases of the three gates and of the candidate, the value of f1 in c_t,
// are stored side by side, in the order i, f, o, candidate.
type F1LSTM struct {
	Hidden int     // m
	Noise  float64 // standard deviation of the noise added to h_{t-1} in training, as in [DiffStk]
}

// String returns the name and size of the cell.
func (c F1LSTM) String() string { return noisy(fmt.Sprintf("f1-lstm m=%d", c.Hidden), c.Noise) }

func (c F1LSTM) check() error {
	return withNoise(c.Noise, checkSizes(size{"m (hidden units)", 1, c.Hidden}))
}

// Inputs returns 4m, the width of U_i, U_f, U_o and U together.
func (c F1LSTM) Inputs() int { return 4 * c.Hidden }

// Output returns the width of h.
func (c F1LSTM) Output() int { return c.Hidden }

// Params returns R [m, 4m] and b.
func (c F1LSTM) Params(int) []stepgraph.Spec {
	return []stepgraph.Spec{weight("R", c.Hidden, 4*c.Hidden), bias("b", 4*c.Hidden)}
}

// Count returns 4 (m^2 + m).
func (c F1LSTM) Count(int) int { return 4 * (c.Hidden*c.Hidden + c.Hidden) }

// State returns h and c.
func (c F1LSTM) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}, {Name: "c", Width: c.Hidden}}
}

// Step implements the equations above.
func (c F1LSTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p, s := stepgraph.ByName(params), stepgraph.ByName(state)
	h, cell := f1Gated(b, b.Add(b.AddRow(x, p("b")), b.MatMul(noise(b, s("h"), c.Noise), p("R"))), s("c"))
	return h, []*stepgraph.Node{h, cell}
}
