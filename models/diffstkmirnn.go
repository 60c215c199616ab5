package models

import "pushdown/harness/stepgraph"

// DiffStkMIRNN is the DiffStk-MIRNN ([diffstk], equation 25): a [DiffStk] whose cell
// is an RNN with multiplicative integration,
//
//	ztilde_t = f1((U x_t) (.) (R zhat_{t-1}) + b)
//
// In general, multiplicative integration scales this product by a vector alpha and adds
// each of the two factors, scaled by a vector beta. Here alpha is 1 and the betas are
// 0.
type DiffStkMIRNN struct{ DiffStk }

// String returns the name and sizes of the cell.
func (c DiffStkMIRNN) String() string { return c.named("diffstk-mirnn") }

// Inputs returns the width of U.
func (c DiffStkMIRNN) Inputs() int { return c.Hidden }

// Params returns R [m, m], b and the parameters of the stack.
func (c DiffStkMIRNN) Params(int) []stepgraph.Spec {
	return c.params(weight("R", c.Hidden, c.Hidden), bias("b", c.Hidden))
}

// Count returns m^2 + m plus the count of the stack.
func (c DiffStkMIRNN) Count(int) int { return c.count(c.Hidden*c.Hidden + c.Hidden) }

// State returns the stack and z.
func (c DiffStkMIRNN) State() []stepgraph.StateSpec { return c.state() }

// Step implements the equations above.
func (c DiffStkMIRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p := stepgraph.ByName(params)
	return c.step(b, state, params, func(zhat *stepgraph.Node) (z, next *stepgraph.Node) {
		return f1(b, b.AddRow(b.Mul(x, b.MatMul(zhat, p("R"))), p("b"))), nil
	})
}
