package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// DyckCell is the Dyck-RNN ([resurgence], equations 3 to 5), a second-order network
// whose hidden state is a stack, the top at index 0:
//
//	g_t = sigma(W_proj x_t)                     in (0, 1)
//	W_t = g_t W_1 + (1 - g_t) W_2
//	h_t = W_t h_{t-1} + g_t W_hx x_t
//	y_t = the top cell of h_t
//
// W_1 has ones on the subdiagonal (push: everything moves down, the bottom cell
// is lost), W_2 on the superdiagonal (pop: everything moves up, zero enters at
// the bottom). There is no non-linearity on h.
//
// Only W_proj is trained. The paper counts five trained parameters whatever m
// is, which leaves W_hx fixed; what is pushed must land on top, so W_hx is the
// identity above zeros: the first unit vector for e = 1.
//
// h is held stack-major and W_t is never formed: a step is one shift of the
// rows of h, weighted.
//
// For e > 1 the paper only says that the hidden size grows to m*e. Two
// readings are here. By blocks, a stack cell is e numbers, and W_1 and W_2
// shift by e places (identity blocks instead of ones). With ByOne they shift by
// one place as printed, and x_t is added to the first e numbers, so the numbers
// of neighbouring brackets overlap. In both the read-out reads the first e.
type DyckCell struct {
	Depth int            // cells of the stack, m
	Width int            // numbers of a cell, e; the state has Depth*Width
	ByOne bool           // W_1 and W_2 shift by one number instead of by one cell
	Proj  stepgraph.Init // of W_proj; its zero, all zeros, gives g = 1/2 for every symbol
}

// PositiveProj starts W_proj of a Dyck-RNN with e = 1 and hand-set values of
// the brackets: uniform(0.5, 1.5). A wrong sign, by which opening brackets pop,
// does not recover: the loss stays at ln k.
var PositiveProj = stepgraph.Init{Kind: stepgraph.Uniform, A: 0.5, B: 1.5}

// AnyProj starts W_proj where the embedding is trained: uniform(-1/sqrt(e),
// 1/sqrt(e)). The sign is as random as that of the embedding, so that fixing it
// would fix nothing; for e = 1 this is part of the question whether the model
// can be trained at all.
func AnyProj(e int) stepgraph.Init { return uniform(e) }

// BracketValues are the hand-set numbers of 2k brackets, e = 1: 1, 2, .. k for
// the opening ones, -1, -2, .. -k for the closing ones. [resurgence] gives no
// values. g is monotone in the number, so opening and closing brackets must lie
// on either side of zero, and opening ones must differ because the top of the
// stack is all that the read-out sees.
func BracketValues(k int) []float32 {
	v := make([]float32, 2*k)
	for i := range k {
		v[i], v[k+i] = float32(i+1), -float32(i+1)
	}
	return v
}

// DyckRNN is the Dyck-RNN for k types of brackets nested up to m deep, with
// hand-set frozen numbers for the brackets. It has 1 + 2k trained parameters:
// W_proj 1, W_o k, b_o k.
func DyckRNN(m, k int) (*Model, error) {
	return dyck("dyckrnn", m, k, func() (Embedding, DyckCell) {
		return FixedEmbedding(1, BracketValues(k)), DyckCell{Depth: m, Width: 1, Proj: PositiveProj}
	})
}

// DyckRNN1D is the Dyck-RNN with a trained embedding of one number, which
// [resurgence] reports to fail.
func DyckRNN1D(m, k int) (*Model, error) {
	return dyck("dyckrnn-1d", m, k, func() (Embedding, DyckCell) {
		return NormalEmbedding(1), DyckCell{Depth: m, Width: 1, Proj: AnyProj(1)}
	})
}

// DyckRNN2D is the Dyck-RNN with a trained embedding of two numbers and a stack
// of m pairs: 4k + 2 + 3k parameters, 16 for k = 2.
func DyckRNN2D(m, k int) (*Model, error) {
	return dyck("dyckrnn-2d", m, k, func() (Embedding, DyckCell) {
		return NormalEmbedding(2), DyckCell{Depth: m, Width: 2, Proj: AnyProj(2)}
	})
}

// DyckRNN2DShiftByOne is DyckRNN2D with matrices that shift by one of the 2m
// numbers.
func DyckRNN2DShiftByOne(m, k int) (*Model, error) {
	return dyck("dyckrnn-2d-byone", m, k, func() (Embedding, DyckCell) {
		return NormalEmbedding(2), DyckCell{Depth: m, Width: 2, ByOne: true, Proj: AnyProj(2)}
	})
}

// dyck is a Dyck-RNN that predicts closing brackets.
func dyck(name string, m, k int, parts func() (Embedding, DyckCell)) (*Model, error) {
	name = fmt.Sprintf("%s m=%d k=%d", name, m, k)
	if err := enough(size{"m (cells of the stack)", 1, m}, size{"k (types of brackets)", 2, k}); err != nil {
		return nil, fmt.Errorf("models: %s: %w", name, err)
	}
	embedding, cell := parts()
	return &Model{Name: name, Vocabulary: 2 * k, Embedding: embedding, Cell: cell, Readout: Readout{Classes: k}}, nil
}

// String names the cell and its sizes.
func (c DyckCell) String() string {
	if c.ByOne {
		return fmt.Sprintf("dyck-cell m=%d e=%d by-one", c.Depth, c.Width)
	}
	return fmt.Sprintf("dyck-cell m=%d e=%d", c.Depth, c.Width)
}

// Params is W_proj alone, [e, 1].
func (c DyckCell) Params(in int) []stepgraph.Spec {
	return []stepgraph.Spec{{Name: "W_proj", Rows: in, Cols: 1, Init: c.Proj}}
}

// Count is e.
func (c DyckCell) Count(in int) int { return in }

// Output is e.
func (c DyckCell) Output() int { return c.Width }

// State is the stack.
func (c DyckCell) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Depth * c.Width, Stacks: 1}}
}

// Step pushes x by g and pops by 1 - g.
func (c DyckCell) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	g := b.Sigmoid(b.MatMul(x, byName(params)("W_proj")))
	if !c.ByOne || c.Width == 1 {
		h := b.Push(state[0], g, b.OneMinus(g), b.ToStackMajor(x, c.Width), c.Width, 0)
		return b.Top(h, c.Width), []*stepgraph.Node{h}
	}
	// The push writes the first number of g W_hx x; the others are added below.
	first, others := b.Slice(x, 0, 1, 1), b.Slice(x, 1, x.Shape()[1]-1, 1)
	h := b.Push(state[0], g, b.OneMinus(g), b.ToStackMajor(first, 1), 1, 0)
	rest := b.ToStackMajor(b.MulCol(others, g), c.Width-1)
	h = b.Apply(stepgraph.Op{Kind: stepgraph.AddAtRows, I: [3]int{1, 0, 1}}, h, rest)
	return b.Top(h, c.Width), []*stepgraph.Node{h}
}
