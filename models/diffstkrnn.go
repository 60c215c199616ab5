package models

import "pushdown/harness/stepgraph"

// DiffStkRNN is the DiffStk-RNN ([diffstk], equation 4): a [DiffStk] whose cell is
//
//	ztilde_t = f1(U x_t + R zhat_{t-1} + b)
//
// With 5 symbols, m = 8 and k = 3 a [Recognizer] of it has 226 parameters.
type DiffStkRNN struct{ DiffStk }

// String names the cell and its sizes.
func (c DiffStkRNN) String() string { return c.named("diffstk-rnn") }

// Inputs is U.
func (c DiffStkRNN) Inputs() int { return c.Hidden }

// Params is R [m, m], b and those of the stack.
func (c DiffStkRNN) Params(int) []stepgraph.Spec {
	return c.params(weight("R", c.Hidden, c.Hidden), bias("b", c.Hidden))
}

// Count is m^2 + m and that of the stack.
func (c DiffStkRNN) Count(int) int { return c.count(c.Hidden*c.Hidden + c.Hidden) }

// State is the stack and z.
func (c DiffStkRNN) State() []stepgraph.StateSpec { return c.state() }

// Step is the equations above.
func (c DiffStkRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p := byName(params)
	return c.step(b, state, params, func(zhat *stepgraph.Node) (z, next *stepgraph.Node) {
		return f1(b, b.Add(b.AddRow(x, p("b")), b.MatMul(zhat, p("R")))), nil
	})
}
