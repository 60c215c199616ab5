package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// SymbolLSTM is the [LSTM] without an embedding, the LSTM baseline of [stack-rnn] on
// text, which [diffstk] repeats: symbols are one-hot vectors. The product of a one-hot
// vector with W_x is a row of W_x, so the embedding is W_x, and x_t its row:
//
//	[i_t, f_t, g_t, o_t] = x_t + U h_{t-1} + b
//
// and otherwise the equations of the LSTM. It computes the same as an LSTM in a
// [OneHotLanguageModel], without a product and a table of V x V numbers. [stack-rnn]
// takes its result from [scrn], in whose public program each map has one bias, and
// weights start normal(0, 0.05), biases at zero.
//
// The four maps are laid out side by side in the order i, f, g, o.
type SymbolLSTM struct {
	Hidden int // h
}

func (c SymbolLSTM) check() error { return checkSizes(size{"h (hidden units)", 1, c.Hidden}) }

// String returns the name and size of the cell.
func (c SymbolLSTM) String() string { return fmt.Sprintf("symbol-lstm h=%d", c.Hidden) }

// Inputs returns 4h, the width of W_x.
func (c SymbolLSTM) Inputs() int { return 4 * c.Hidden }

// Output returns the width of h.
func (c SymbolLSTM) Output() int { return c.Hidden }

// Params returns W_h [h, 4h] and b [1, 4h].
func (c SymbolLSTM) Params(int) []stepgraph.Spec {
	return []stepgraph.Spec{weight("W_h", c.Hidden, 4*c.Hidden), bias("b", 4*c.Hidden)}
}

// Count returns 4h (h + 1).
func (c SymbolLSTM) Count(int) int { return 4 * c.Hidden * (c.Hidden + 1) }

// State returns h and c.
func (c SymbolLSTM) State() []stepgraph.StateSpec { return LSTM{Hidden: c.Hidden}.State() }

// Step implements the equations above.
func (c SymbolLSTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p, s := byName(params), byName(state)
	pre := b.Add(b.AddRow(x, p("b")), b.MatMul(s("h"), p("W_h")))
	h, cell := gated(b, b.Split(pre, 4), s("c"))
	return h, []*stepgraph.Node{h, cell}
}
