package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// GRU is the gated recurrent unit ([gru], equations 5 to 8), a baseline of [diffstk]:
//
//	r_t  = sigma(W_r x_t + U_r h_{t-1})
//	z_t  = sigma(W_z x_t + U_z h_{t-1})
//	h~_t = tanh(W x_t + U (r_t (.) h_{t-1}))
//	h_t  = z_t (.) h_{t-1} + (1 - z_t) (.) h~_t
//
// There are no biases. The matrices that multiply the symbol, W_r, W_z and W, are laid out
// side by side in this order.
type GRU struct {
	Hidden int     // m
	Noise  float64 // standard deviation of the noise added to h_{t-1} in training, as in [DiffStk]
}

// String returns the name and size of the cell.
func (c GRU) String() string { return noisy(fmt.Sprintf("gru m=%d", c.Hidden), c.Noise) }

func (c GRU) check() error {
	return withNoise(c.Noise, checkSizes(size{"m (hidden units)", 1, c.Hidden}))
}

// Inputs returns 3m, the width of W_r, W_z and W together.
func (c GRU) Inputs() int { return 3 * c.Hidden }

// Output returns the width of h.
func (c GRU) Output() int { return c.Hidden }

// Params returns R [m, 2m], which holds U_r and U_z, and R_h [m, m], which is U.
func (c GRU) Params(int) []stepgraph.Spec {
	return []stepgraph.Spec{weight("R", c.Hidden, 2*c.Hidden), weight("R_h", c.Hidden, c.Hidden)}
}

// Count returns 3m^2.
func (c GRU) Count(int) int { return 3 * c.Hidden * c.Hidden }

// State returns h.
func (c GRU) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}}
}

// Step implements the equations above.
func (c GRU) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	n, h, p := c.Hidden, noise(b, state[0], c.Noise), stepgraph.ByName(params)
	gates := b.Split(b.Sigmoid(b.Add(b.Slice(x, 0, 2*n, 1), b.MatMul(h, p("R")))), 2)
	r, z := gates[0], gates[1]
	candidate := b.Tanh(b.Add(b.Slice(x, 2*n, n, 1), b.MatMul(b.Mul(r, h), p("R_h"))))
	next := b.Add(b.Mul(z, h), b.Mul(b.OneMinus(z), candidate))
	return next, []*stepgraph.Node{next}
}
