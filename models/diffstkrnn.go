package models

import "pushdown/harness/stepgraph"

// DiffStkRNN is the DiffStk-RNN ([diffstk], equation 4): a [DiffStk] whose cell is
//
//	ztilde_t = f1(U x_t + R zhat_{t-1} + b)
//
// With 5 symbols, m = 8 and k = 3, a [Recognizer] with this cell has 226 parameters.
type DiffStkRNN struct{ DiffStk }

// String returns the name and sizes of the cell.
func (c DiffStkRNN) String() string { return c.named("diffstk-rnn") }

// Inputs returns the width of U.
func (c DiffStkRNN) Inputs() int { return c.Hidden }

// Params returns R [m, m], b and the parameters of the stack.
func (c DiffStkRNN) Params(int) []stepgraph.Spec {
	return c.params(weight("R", c.Hidden, c.Hidden), bias("b", c.Hidden))
}

// Count returns m^2 + m plus the number of parameters of the stack.
func (c DiffStkRNN) Count(int) int { return c.count(c.Hidden*c.Hidden + c.Hidden) }

// State returns the stack and z.
func (c DiffStkRNN) State() []stepgraph.StateSpec { return c.state() }

// Step implements the equations above.
func (c DiffStkRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p := stepgraph.ByName(params)
	return c.step(b, state, params, func(zhat *stepgraph.Node) (z, next *stepgraph.Node) {
		return f1(b, b.Add(b.AddRow(x, p("b")), b.MatMul(zhat, p("R")))), nil
	})
}
