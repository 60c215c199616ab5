package models

import "pushdown/harness/stepgraph"

// DiffStkMLSTM is the DiffStk-MLSTM ([diffstk], equations 20 to 24): a [DiffStk]
// whose cell is a multiplicative LSTM,
//
//	m_t = (U_m x_t) (.) (R_m zhat_{t-1})
//
// The rest is the LSTM of [DiffStkLSTM] with R_*m m_t in place of R_* zhat_{t-1}.
type DiffStkMLSTM struct{ DiffStk }

// String returns the name and sizes of the cell.
func (c DiffStkMLSTM) String() string { return c.named("diffstk-mlstm") }

// Inputs returns 5m, where m is the number of hidden units. This is the width of U_i, U_f,
// U_o, U and U_m together.
func (c DiffStkMLSTM) Inputs() int { return 5 * c.Hidden }

// Params returns R_m [m, m], R [m, 4m], b and the parameters of the stack.
func (c DiffStkMLSTM) Params(int) []stepgraph.Spec {
	return c.params(weight("R_m", c.Hidden, c.Hidden), weight("R", c.Hidden, 4*c.Hidden), bias("b", 4*c.Hidden))
}

// Count returns 5m^2 + 4m plus the count of the stack.
func (c DiffStkMLSTM) Count(int) int { return c.count(5*c.Hidden*c.Hidden + 4*c.Hidden) }

// State returns the stack, z and c.
func (c DiffStkMLSTM) State() []stepgraph.StateSpec {
	return c.state(stepgraph.StateSpec{Name: "c", Width: c.Hidden})
}

// Step implements the equations above.
func (c DiffStkMLSTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	n, p, was := c.Hidden, stepgraph.ByName(params), stepgraph.ByName(state)
	gates, byX := b.Slice(x, 0, 4*n, 1), b.Slice(x, 4*n, n, 1)
	return c.step(b, state, params, func(zhat *stepgraph.Node) (z, next *stepgraph.Node) {
		m := b.Mul(byX, b.MatMul(zhat, p("R_m")))
		return f1Gated(b, b.Add(b.AddRow(gates, p("b")), b.MatMul(m, p("R"))), was("c"))
	})
}
