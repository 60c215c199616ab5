package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// DyckCell is the Dyck-RNN ([resurgence], equations 3 to 5), a second-order network
// whose hidden state is a stack with its top at index 0:
//
//	g_t = sigma(W_proj x_t)                     in (0, 1)
//	W_t = g_t W_1 + (1 - g_t) W_2
//	h_t = W_t h_{t-1} + g_t W_hx x_t
//	y_t = the top cell of h_t
//
// W_1 has ones on the subdiagonal (push: everything moves down, the bottom cell is
// lost). W_2 has ones on the superdiagonal (pop: everything moves up, zero enters at
// the bottom). There is no non-linearity on h.
//
// Only W_proj is trained. W_hx is fixed, because its size grows with m, whereas the paper
// counts five trained parameters for every m. A pushed value must become the top, so W_hx
// is the identity above zeros; for e = 1 it is the first unit vector.
//
// W_t is never formed. h is stored as a stack, with a row for each of its elements and
// a column for each string, so a step is one weighted shift of the rows.
//
// For e > 1 the paper says only that the hidden size grows to m*e. Both possible readings
// are implemented. By default a stack cell is e numbers, and W_1 and W_2 shift by e places
// (identity blocks instead of ones). With ByOne they shift by one place, as printed. The
// numbers of neighbouring brackets then overlap, because x_t is still added to the first e
// numbers. In both readings the read-out reads the first e numbers.
type DyckCell struct {
	Depth int            // number of stack cells, m
	Width int            // width of a cell, e; the state has Depth*Width numbers
	ByOne bool           // W_1 and W_2 shift by one number instead of one cell
	Proj  stepgraph.Init // initial W_proj; the zero value starts it at 0, so g = 1/2 for every symbol
}

// PositiveProj is the initial W_proj of a Dyck-RNN with e = 1 and hand-set values
// of the brackets: uniform(0.5, 1.5). With the wrong sign, opening brackets pop.
// Training does not recover from that: the loss stays at ln k.
var PositiveProj = stepgraph.Init{Kind: stepgraph.Uniform, A: 0.5, B: 1.5}

// AnyProj returns the initial W_proj for a trained embedding: uniform(-1/sqrt(e),
// 1/sqrt(e)). The embedding has random signs, so fixing the sign of W_proj would
// not help. For e = 1, one question of the experiment is whether the model can be
// trained from a random sign.
func AnyProj(e int) stepgraph.Init { return uniform(e) }

// BracketValues returns the hand-set numbers of 2k brackets for e = 1: 1, 2, .. k for
// the opening ones, -1, -2, .. -k for the closing ones. The paper gives no values. The
// push weight g is monotone in the number, so opening and closing brackets must lie on
// opposite sides of zero. Opening brackets must differ from each other because the
// read-out sees only the top of the stack.
func BracketValues(k int) []float32 {
	v := make([]float32, 2*k)
	for i := range k {
		v[i], v[k+i] = float32(i+1), -float32(i+1)
	}
	return v
}

// DyckRNN returns the Dyck-RNN for k types of brackets nested up to m deep, with
// frozen hand-set numbers for the brackets. It has 1 + 2k trained parameters: W_proj
// 1, W_o k, b_o k.
func DyckRNN(m, k int) (*Model, error) {
	return dyck("dyckrnn", m, k, func() (Embedding, DyckCell) {
		return FixedEmbedding(1, BracketValues(k)), DyckCell{Depth: m, Width: 1, Proj: PositiveProj}
	})
}

// DyckRNN1D returns the Dyck-RNN with a trained embedding of width 1. According to the
// paper [resurgence], training this network fails.
func DyckRNN1D(m, k int) (*Model, error) {
	return dyck("dyckrnn-1d", m, k, func() (Embedding, DyckCell) {
		return NormalEmbedding(1), DyckCell{Depth: m, Width: 1, Proj: AnyProj(1)}
	})
}

// DyckRNN2D returns the Dyck-RNN with a trained embedding of width 2 and a stack of m
// pairs. It has 4k trained parameters in the embedding, 2 in W_proj and 3k in the
// read-out, together 16 for k = 2.
func DyckRNN2D(m, k int) (*Model, error) {
	return dyck("dyckrnn-2d", m, k, func() (Embedding, DyckCell) {
		return NormalEmbedding(2), DyckCell{Depth: m, Width: 2, Proj: AnyProj(2)}
	})
}

// DyckRNN2DShiftByOne returns a DyckRNN2D whose matrices shift by one of the 2m
// numbers instead of by a pair.
func DyckRNN2DShiftByOne(m, k int) (*Model, error) {
	return dyck("dyckrnn-2d-byone", m, k, func() (Embedding, DyckCell) {
		return NormalEmbedding(2), DyckCell{Depth: m, Width: 2, ByOne: true, Proj: AnyProj(2)}
	})
}

// dyck returns a Dyck-RNN that predicts closing brackets.
func dyck(name string, m, k int, parts func() (Embedding, DyckCell)) (*Model, error) {
	name = fmt.Sprintf("%s m=%d k=%d", name, m, k)
	if err := checkSizes(size{"m (cells of the stack)", 1, m}, size{"k (types of brackets)", 2, k}); err != nil {
		return nil, fmt.Errorf("models: %s: %w", name, err)
	}
	embedding, cell := parts()
	return &Model{Name: name, Vocabulary: 2 * k, Embedding: embedding, Cell: cell, Readout: Readout{Classes: k}}, nil
}

// String returns the name and sizes of the cell.
func (c DyckCell) String() string {
	if c.ByOne {
		return fmt.Sprintf("dyck-cell m=%d e=%d by-one", c.Depth, c.Width)
	}
	return fmt.Sprintf("dyck-cell m=%d e=%d", c.Depth, c.Width)
}

// Params returns W_proj alone, [e, 1].
func (c DyckCell) Params(in int) []stepgraph.Spec {
	return []stepgraph.Spec{{Name: "W_proj", Rows: in, Cols: 1, Init: c.Proj}}
}

// Count returns e.
func (c DyckCell) Count(in int) int { return in }

// Output returns e.
func (c DyckCell) Output() int { return c.Width }

// State returns the stack.
func (c DyckCell) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Depth * c.Width, Stacks: 1}}
}

// Step pushes x with weight g and pops with weight 1 - g.
func (c DyckCell) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	g := b.Sigmoid(b.MatMul(x, stepgraph.ByName(params)("W_proj")))
	if !c.ByOne || c.Width == 1 {
		h := b.Push(state[0], g, b.OneMinus(g), b.ToStackMajor(x, c.Width), c.Width, 0)
		return b.Top(h, c.Width), []*stepgraph.Node{h}
	}
	// With a shift by one place, Push adds only the first number of g W_hx x. The other
	// numbers are added below to the rows from 1 on.
	first, others := b.Slice(x, 0, 1, 1), b.Slice(x, 1, x.Shape()[1]-1, 1)
	h := b.Push(state[0], g, b.OneMinus(g), b.ToStackMajor(first, 1), 1, 0)
	rest := b.ToStackMajor(b.MulCol(others, g), c.Width-1)
	h = b.Apply(stepgraph.Op{Kind: stepgraph.AddAtRows, I: [3]int{1, 0, 1}}, h, rest)
	return b.Top(h, c.Width), []*stepgraph.Node{h}
}
