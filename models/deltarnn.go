package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// DeltaRNN is the Delta-RNN [delta], a baseline of [diffstk]:
//
//	d1_t = alpha (.) (V h_{t-1}) (.) (W x_t)
//	d2_t = beta1 (.) (V h_{t-1}) + beta2 (.) (W x_t)
//	g_t  = tanh(d1_t + d2_t + b)
//	r_t  = sigma(W x_t + b_r)
//	h_t  = tanh((1 - r_t) (.) g_t + r_t (.) h_{t-1})
//
// with vectors alpha, beta1 and beta2 that start at 1. The outer tanh follows the
// public script. The public program itself uses the identity by default.
type DeltaRNN struct {
	Hidden int     // m
	Noise  float64 // standard deviation of the noise added to h_{t-1} in training, as in [DiffStk]
}

// String returns the name and size of the cell.
func (c DeltaRNN) String() string { return noisy(fmt.Sprintf("delta-rnn m=%d", c.Hidden), c.Noise) }

func (c DeltaRNN) check() error {
	return withNoise(c.Noise, checkSizes(size{"m (hidden units)", 1, c.Hidden}))
}

// Inputs returns the width of W.
func (c DeltaRNN) Inputs() int { return c.Hidden }

// Output returns the width of h.
func (c DeltaRNN) Output() int { return c.Hidden }

// Params returns R [m, m], which holds V, and alpha, beta1, beta2, b and b_r.
func (c DeltaRNN) Params(int) []stepgraph.Spec {
	one := func(name string) stepgraph.Spec {
		return stepgraph.Spec{Name: name, Rows: 1, Cols: c.Hidden, Init: stepgraph.Init{Kind: stepgraph.Constant, A: 1}}
	}
	return []stepgraph.Spec{weight("R", c.Hidden, c.Hidden), one("alpha"), one("beta1"), one("beta2"), bias("b", c.Hidden), bias("b_r", c.Hidden)}
}

// Count returns m^2 + 5m.
func (c DeltaRNN) Count(int) int { return c.Hidden*c.Hidden + 5*c.Hidden }

// State returns h.
func (c DeltaRNN) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}}
}

// Step implements the equations above.
func (c DeltaRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	h, p := noise(b, state[0], c.Noise), stepgraph.ByName(params)
	v := b.MatMul(h, p("R"))
	d1 := b.MulRow(b.Mul(v, x), p("alpha"))
	d2 := b.Add(b.MulRow(v, p("beta1")), b.MulRow(x, p("beta2")))
	g := b.Tanh(b.AddRow(b.Add(d1, d2), p("b")))
	r := b.Sigmoid(b.AddRow(x, p("b_r")))
	next := b.Tanh(b.Add(b.Mul(b.OneMinus(r), g), b.Mul(r, h)))
	return next, []*stepgraph.Node{next}
}
