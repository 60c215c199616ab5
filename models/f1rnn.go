package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// F1RNN is the RNN baseline of [diffstk] (equation 2): the RNN of [elman] with f1 as
// its non-linearity,
//
//	h_t = f1(U x_t + R h_{t-1} + b)
type F1RNN struct {
	Hidden int     // m
	Noise  float64 // standard deviation of the noise added to h_{t-1} in training, as in [DiffStk]
}

// String returns the name and size of the cell.
func (c F1RNN) String() string { return noisy(fmt.Sprintf("f1-rnn m=%d", c.Hidden), c.Noise) }

func (c F1RNN) check() error {
	return withNoise(c.Noise, checkSizes(size{"m (hidden units)", 1, c.Hidden}))
}

// Inputs returns the width of U.
func (c F1RNN) Inputs() int { return c.Hidden }

// Output returns the width of h.
func (c F1RNN) Output() int { return c.Hidden }

// Params returns R [m, m] and b.
func (c F1RNN) Params(int) []stepgraph.Spec {
	return []stepgraph.Spec{weight("R", c.Hidden, c.Hidden), bias("b", c.Hidden)}
}

// Count returns m^2 + m.
func (c F1RNN) Count(int) int { return c.Hidden*c.Hidden + c.Hidden }

// State returns h.
func (c F1RNN) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}}
}

// Step implements the equation above.
func (c F1RNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p := stepgraph.ByName(params)
	h := f1(b, b.Add(b.AddRow(x, p("b")), b.MatMul(noise(b, state[0], c.Noise), p("R"))))
	return h, []*stepgraph.Node{h}
}
