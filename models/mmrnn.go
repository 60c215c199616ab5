package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// choices is the number of matrices that a memory matrix mixes. [resurgence] found
// 4 empirically. Its formulas print 2 in places, but only 4 gives the counts that
// it states.
const choices = 4

// MMRNN is the memory-matrix RNN ([resurgence], equations 6 to 8), a second-order
// network whose recurrent matrix is a mixture of four matrices at each step. The key
// v_t holds the four weights:
//
//	v_t = softmax(W_proj [v_{t-1}; h_{t-1}; x_t])    v_0 = (1/4, 1/4, 1/4, 1/4)
//	W_t = v_t[1] W[1] + .. + v_t[4] W[4]
//	h_t = tanh(W_t h_{t-1} + W_hx x_t + b)
//	y_t = h_t
//
// The paper prints no bias; b is our reading. The key has no bias here either.
//
// W_t is never formed: h_{t-1} is multiplied by the four matrices at once and the
// products are mixed. Matrices that multiply the same value are laid out side by side:
// W_x holds W_hx and the part of W_proj for x, W_h holds W[1] .. W[4] and the part for
// h, and W_v is the part for v. Everything starts uniform(-1/sqrt(h), 1/sqrt(h)).
type MMRNN struct {
	Hidden int // h
}

// String returns the name and size of the cell.
func (c MMRNN) String() string { return fmt.Sprintf("mmrnn h=%d", c.Hidden) }

// Params returns W_x [in, h+4], W_h [h, 4h+4], W_v [4, 4], b [1, h].
func (c MMRNN) Params(in int) []stepgraph.Spec { return mixtures(in, c.Hidden, 1) }

// Count returns 4h^2 + in h + 4 (4 + h + in) + h.
func (c MMRNN) Count(in int) int {
	h := c.Hidden
	return choices*h*h + in*h + choices*(choices+h+in) + h
}

// State returns h and v.
func (c MMRNN) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}, keys(1)}
}

// Output returns the width of h.
func (c MMRNN) Output() int { return c.Hidden }

// Step implements the equations above.
func (c MMRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	maps, v := mixed(b, x, stepgraph.ByName(state), stepgraph.ByName(params), 1)
	h := b.Tanh(maps[0])
	return h, []*stepgraph.Node{h, v}
}

// mixtures lists W_x, W_h, W_v and b of a cell with h units. An [MMRNN] has one mixture of
// matrices, and an [MMLSTM] has four, one for each of i, f, g and o. The parameter maps is
// the number of mixtures. Each mixture has its own four matrices and key. The mixtures are
// side by side, followed by the parts of W_proj.
func mixtures(in, h, maps int) []stepgraph.Spec {
	return []stepgraph.Spec{
		{Name: "W_x", Rows: in, Cols: maps*h + maps*choices, Init: uniform(h)},
		{Name: "W_h", Rows: h, Cols: maps*choices*h + maps*choices, Init: uniform(h)},
		{Name: "W_v", Rows: choices, Cols: maps * choices, Init: uniform(h)},
		{Name: "b", Rows: 1, Cols: maps * h, Init: uniform(h)},
	}
}

// keys returns the state that holds the keys of the given number of mixtures side by side.
func keys(maps int) stepgraph.StateSpec {
	return stepgraph.StateSpec{Name: "v", Width: maps * choices, Init: 1.0 / choices}
}

// mixed returns W_hx x_t + b + W_t h_{t-1} for each mixture W_t, and the keys v_t.
func mixed(b *stepgraph.Builder, x *stepgraph.Node, s, p lookup, maps int) (pre []*stepgraph.Node, key *stepgraph.Node) {
	h, v := s("h"), s("v")
	n, k := h.Shape()[1], maps*choices
	byX, byH := b.MatMul(x, p("W_x")), b.MatMul(h, p("W_h"))
	var byV []*stepgraph.Node
	for i := range maps {
		byV = append(byV, b.MatMul(part(b, v, i, choices), part(b, p("W_v"), i, choices)))
	}
	scores := b.Add(b.Slice(byX, maps*n, k, 1), b.Slice(byH, choices*maps*n, k, 1))
	key = b.Softmax(b.Add(scores, concat(b, byV)), choices)
	affine := b.AddRow(b.Slice(byX, 0, maps*n, 1), p("b"))
	for i := range maps {
		mix := b.WeightedSum(part(b, key, i, choices), b.Slice(byH, i*choices*n, choices*n, 1))
		pre = append(pre, b.Add(part(b, affine, i, n), mix))
	}
	return pre, key
}

// part returns the i-th block of n columns of x, or x itself if it has n columns.
func part(b *stepgraph.Builder, x *stepgraph.Node, i, n int) *stepgraph.Node {
	if x.Shape()[1] == n {
		return x
	}
	return b.Slice(x, i*n, n, 1)
}

// concat returns the values side by side.
func concat(b *stepgraph.Builder, x []*stepgraph.Node) *stepgraph.Node {
	if len(x) == 1 {
		return x[0]
	}
	return b.Concat(x...)
}
