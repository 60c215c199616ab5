package models

import "pushdown/harness/stepgraph"

// MLSTM is the multiplicative LSTM [mlstm], a baseline of the paper [resurgence]. It is
// an [LSTM] in which the gates read the intermediate state m_t of an [MRNN] in place of
// h_{t-1},
//
//	m_t = (W_mx x_t) (.) (W_mh h_{t-1})
//	i_t = sigma(W_ix x_t + W_im m_t + b_i)
//	f_t = sigma(W_fx x_t + W_fm m_t + b_f)
//	g_t = tanh (W_gx x_t + W_gm m_t + b_g)
//	o_t = sigma(W_ox x_t + W_om m_t + b_o)
//	c_t = f_t (.) c_{t-1} + i_t (.) g_t
//	h_t = o_t (.) tanh(c_t)
//	y_t = h_t
//
// If Direct is set, there is no W_mh, and m_t = (W_mx x_t) (.) h_{t-1}. The paper
// [resurgence] gives no equations. It states 977 units and 4.5M parameters, which agree
// only without W_mh. With W_mh, 977 units have 5.5M parameters, and 881 units come
// closest to 4.5M.
//
// There are two public programs for the mLSTM. One differs from these equations: it has
// no tanh in g_t, and h_t = tanh(c_t (.) o_t + b). The other starts with orthogonal
// matrices and b_f = 3. Here everything starts uniform(-1/sqrt(h), 1/sqrt(h)).
//
// W_x holds W_ix W_fx W_gx W_ox W_mx side by side, and W_hm and b hold the parts of i,
// f, g and o.
type MLSTM struct {
	Hidden int  // h
	Direct bool // m_t has no W_mh, as the stated sizes of [resurgence] imply
}

// String returns the name and size of the cell.
func (c MLSTM) String() string { return multiplicative("mlstm", c.Hidden, c.Direct) }

// Params returns W_x [in, 5h], W_mh [h, h] unless Direct is set, W_hm [h, 4h] and b
// [1, 4h].
func (c MLSTM) Params(in int) []stepgraph.Spec { return factored(in, c.Hidden, 4, c.Direct) }

// Count returns 5h^2 + 5 h in + 4h, or 4h^2 + 5 h in + 4h if Direct is set.
func (c MLSTM) Count(in int) int { return countFactored(in, c.Hidden, 4, c.Direct) }

// Output returns the width of h.
func (c MLSTM) Output() int { return c.Hidden }

// State returns h and c.
func (c MLSTM) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}, {Name: "c", Width: c.Hidden}}
}

// Step implements the equations above.
func (c MLSTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	s := stepgraph.ByName(state)
	h, cell := gated(b, b.Split(throughFactors(b, x, s("h"), stepgraph.ByName(params), 4, c.Direct), 4), s("c"))
	return h, []*stepgraph.Node{h, cell}
}
