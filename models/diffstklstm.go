package models

import "pushdown/harness/stepgraph"

// DiffStkLSTM is the DiffStk-LSTM ([diffstk], equations 11 to 16): a [DiffStk] whose
// cell is an LSTM with f1 in place of tanh,
//
//	i, f, o = sigma(U_* x_t + R_* zhat_{t-1} + b_*)
//	c_t     = f (.) c_{t-1} + i (.) f1(U x_t + R zhat_{t-1} + b)
//	z_t     = f1(c_t) (.) o
//
// U, R and b have the columns for i, f, o and the candidate side by side, in this order.
// Where carry-forward sets z_t to zhat_{t-1}, it also sets c_t to c_{t-1}.
type DiffStkLSTM struct{ DiffStk }

// String returns the name and sizes of the cell.
func (c DiffStkLSTM) String() string { return c.named("diffstk-lstm") }

// Inputs returns 4m, the width of U_i, U_f, U_o and U together.
func (c DiffStkLSTM) Inputs() int { return 4 * c.Hidden }

// Params returns R [m, 4m], b and the parameters of the stack.
func (c DiffStkLSTM) Params(int) []stepgraph.Spec {
	return c.params(weight("R", c.Hidden, 4*c.Hidden), bias("b", 4*c.Hidden))
}

// Count returns 4 (m^2 + m) plus the number of parameters of the stack.
func (c DiffStkLSTM) Count(int) int { return c.count(4 * (c.Hidden*c.Hidden + c.Hidden)) }

// State returns the stack, z and c.
func (c DiffStkLSTM) State() []stepgraph.StateSpec {
	return c.state(stepgraph.StateSpec{Name: "c", Width: c.Hidden})
}

// Step implements the equations above.
func (c DiffStkLSTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p, was := stepgraph.ByName(params), stepgraph.ByName(state)
	return c.step(b, state, params, func(zhat *stepgraph.Node) (z, next *stepgraph.Node) {
		return f1Gated(b, b.Add(b.AddRow(x, p("b")), b.MatMul(zhat, p("R"))), was("c"))
	})
}
