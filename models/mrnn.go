package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// MRNN is the multiplicative RNN [mrnn], a baseline of [resurgence]: the symbol scales
// the units of an intermediate state m_t, which has as many units as h_t,
//
//	m_t = (W_mx x_t) (.) (W_mh h_{t-1})
//	h_t = tanh(W_hm m_t + W_hx x_t + b)
//	y_t = h_t
//
// If Direct is set, there is no W_mh:
//
//	m_t = (W_mx x_t) (.) h_{t-1}
//
// [resurgence] gives no equations. It states 1972 units and 4.5M parameters, which
// agree only without W_mh. With W_mh, 1972 units have 8.4M parameters, and 1424
// units come closest to 4.5M.
//
// W_x holds W_hx and W_mx side by side. Everything starts uniform(-1/sqrt(h),
// 1/sqrt(h)).
type MRNN struct {
	Hidden int  // h
	Direct bool // m_t has no W_mh, as the stated sizes of [resurgence] imply
}

// String returns the name and size of the cell.
func (c MRNN) String() string { return multiplicative("mrnn", c.Hidden, c.Direct) }

// Params returns W_x [in, 2h], W_mh [h, h] unless Direct is set, W_hm [h, h] and b [1,
// h].
func (c MRNN) Params(in int) []stepgraph.Spec { return factored(in, c.Hidden, 1, c.Direct) }

// Count returns 2h^2 + 2 h in + h, or h^2 + 2 h in + h if Direct is set.
func (c MRNN) Count(in int) int { return countFactored(in, c.Hidden, 1, c.Direct) }

// Output returns the width of h.
func (c MRNN) Output() int { return c.Hidden }

// State returns h.
func (c MRNN) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}}
}

// Step implements the equations above.
func (c MRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	h := b.Tanh(throughFactors(b, x, state[0], stepgraph.ByName(params), 1, c.Direct))
	return h, []*stepgraph.Node{h}
}

// multiplicative returns the name of an mRNN or mLSTM.
func multiplicative(name string, h int, direct bool) string {
	if direct {
		return fmt.Sprintf("%s h=%d direct", name, h)
	}
	return fmt.Sprintf("%s h=%d", name, h)
}

// factored lists the parameters of an mRNN or mLSTM of h units, which read h_{t-1} only
// through m_t. The parameter maps is the number of values that are computed from x_t and
// m_t: 1 in an mRNN; 4 in an mLSTM, for the three gates and the candidate. The matrices of
// these values are side by side, and in W_x they are followed by W_mx.
func factored(in, h, maps int, direct bool) []stepgraph.Spec {
	list := []stepgraph.Spec{{Name: "W_x", Rows: in, Cols: (maps + 1) * h, Init: uniform(h)}}
	if !direct {
		list = append(list, stepgraph.Spec{Name: "W_mh", Rows: h, Cols: h, Init: uniform(h)})
	}
	return append(list,
		stepgraph.Spec{Name: "W_hm", Rows: h, Cols: maps * h, Init: uniform(h)},
		stepgraph.Spec{Name: "b", Rows: 1, Cols: maps * h, Init: uniform(h)})
}

// countFactored returns the number of parameters that factored lists.
func countFactored(in, h, maps int, direct bool) int {
	n := (maps+1)*h*in + maps*h*h + maps*h
	if !direct {
		n += h * h
	}
	return n
}

// throughFactors returns W_hx x_t + b + W_hm m_t. In an mLSTM it returns this for the gates
// and the candidate, side by side.
func throughFactors(b *stepgraph.Builder, x, h *stepgraph.Node, p lookup, maps int, direct bool) *stepgraph.Node {
	n := h.Shape()[1]
	byX := b.MatMul(x, p("W_x"))
	if !direct {
		h = b.MatMul(h, p("W_mh"))
	}
	m := b.Mul(b.Slice(byX, maps*n, n, 1), h)
	return b.Add(b.AddRow(b.Slice(byX, 0, maps*n, 1), p("b")), b.MatMul(m, p("W_hm")))
}
