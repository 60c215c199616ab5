package models

import "pushdown/harness/stepgraph"

// DiffStkRNN is the DiffStk-RNN [diffstk]: a [DiffStk] whose cell is
//
//	ztilde_t = f1(U x_t + R zhat_{t-1} + b)
//
// With d symbols it has m d + m^2 + m parameters, m k + 3m + 3 + m + 1 of the
// stack and d m + d + m + 1 of the heads: 226 for m = 8, d = 5, k = 3.
type DiffStkRNN struct{ DiffStk }

// String names the cell and its sizes.
func (c DiffStkRNN) String() string { return c.named("diffstk-rnn") }

// Inputs is U.
func (c DiffStkRNN) Inputs() int { return c.Hidden }

// Params is R [m, m], b and those of the stack.
func (c DiffStkRNN) Params(int) []stepgraph.Spec {
	return c.params(weight("R", c.Hidden, c.Hidden), bias("b", c.Hidden))
}

// State is the stack and z.
func (c DiffStkRNN) State() []stepgraph.StateSpec { return c.state() }

// Step is the equations above.
func (c DiffStkRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	return c.step(b, state, params, func(zhat, _ *stepgraph.Node) (z, next *stepgraph.Node) {
		return f1(b, b.Add(b.AddRow(x, params[1]), b.MatMul(zhat, params[0]))), nil
	})
}
