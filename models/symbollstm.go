package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// SymbolLSTM is an [LSTM] that reads symbols as one-hot vectors, without a separate
// embedding. It is the LSTM baseline of [stack-rnn] and [diffstk] on text. The product
// of a one-hot vector with W_x is a row of W_x, so W_x takes the place of the
// embedding, and x_t is the row of the symbol. The pre-activations of i, f, g and o
// are, side by side,
//
//	x_t + W_h h_{t-1} + b
//
// The other equations are those of the LSTM. A SymbolLSTM computes the same as an LSTM in a
// [OneHotLanguageModel], but needs no table of the V one-hot vectors, and no product of a
// one-hot vector by W_x. [stack-rnn] takes the result of its baseline from [scrn]. In the
// public program of [scrn] each pre-activation has one bias, weights start normal(0, 0.05),
// biases start at zero, and the gradient of each h_t is bounded.
type SymbolLSTM struct {
	Hidden int     // h
	Clip   float64 // bound on the gradient elements of h_t; 0: none
}

func (c SymbolLSTM) check() error {
	if err := checkSizes(size{"h (hidden units)", 1, c.Hidden}); err != nil {
		return err
	}
	return notNegative("clip of the errors", c.Clip)
}

// String returns the name and size of the cell.
func (c SymbolLSTM) String() string {
	s := fmt.Sprintf("symbol-lstm h=%d", c.Hidden)
	if c.Clip != 0 {
		s += fmt.Sprintf(" clip=%v", c.Clip)
	}
	return s
}

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
	p, s := stepgraph.ByName(params), stepgraph.ByName(state)
	pre := b.Add(b.AddRow(x, p("b")), b.MatMul(s("h"), p("W_h")))
	h, cell := gated(b, b.Split(pre, 4), s("c"))
	h = clipped(b, h, c.Clip)
	return h, []*stepgraph.Node{h, cell}
}
