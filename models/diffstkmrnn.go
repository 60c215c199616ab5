package models

import "pushdown/harness/stepgraph"

// DiffStkMRNN is the DiffStk-MRNN ([diffstk], equations 17 to 19): a [DiffStk] whose
// cell is a multiplicative RNN with as many factors as units,
//
//	m_t      = (W_mx x_t) (.) (W_mz zhat_{t-1})
//	ztilde_t = f1(W_zm m_t + W_zx x_t + b)
//
// The paper prints two updates that contradict each other, and a dot where it means an
// elementwise product. The equations here are from the paper on multiplicative RNNs
// that [diffstk] cites.
type DiffStkMRNN struct{ DiffStk }

// String returns the name and sizes of the cell.
func (c DiffStkMRNN) String() string { return c.named("diffstk-mrnn") }

// Inputs returns 2m, the width of W_mx and W_zx together.
func (c DiffStkMRNN) Inputs() int { return 2 * c.Hidden }

// Params returns W_mz [m, m], W_zm [m, m], b and the parameters of the stack.
func (c DiffStkMRNN) Params(int) []stepgraph.Spec {
	return c.params(weight("W_mz", c.Hidden, c.Hidden), weight("W_zm", c.Hidden, c.Hidden), bias("b", c.Hidden))
}

// Count returns 2m^2 + m plus the count of the stack.
func (c DiffStkMRNN) Count(int) int { return c.count(2*c.Hidden*c.Hidden + c.Hidden) }

// State returns the stack and z.
func (c DiffStkMRNN) State() []stepgraph.StateSpec { return c.state() }

// Step implements the equations above.
func (c DiffStkMRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	byX, p := b.Split(x, 2), stepgraph.ByName(params)
	return c.step(b, state, params, func(zhat *stepgraph.Node) (z, next *stepgraph.Node) {
		m := b.Mul(byX[0], b.MatMul(zhat, p("W_mz")))
		return f1(b, b.Add(b.AddRow(byX[1], p("b")), b.MatMul(m, p("W_zm")))), nil
	})
}
