package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// SigmaRNN is the simple recurrent network [elman] in the form of [stack-rnn]
// (equation 1), a Stack RNN without stacks:
//
//	h_t = sigma(x_t + R h_{t-1})
//	y_t = h_t
//
// x_t is U times the symbol; there is no bias, and weights start normal(0, 0.1).
type SigmaRNN struct {
	Hidden int     // h
	Clip   float64 // bound on the gradient elements of y_t, of h_{t-1} and of the argument of sigma; 0: none
}

// SigmaLanguageModel returns a model with a [SigmaRNN] that predicts the next symbol after
// each symbol. The number of symbols is in the parameter vocabulary.
func SigmaLanguageModel(c SigmaRNN, vocabulary int) (*Model, error) {
	return patternModel(c, c.Hidden, vocabulary)
}

func (c SigmaRNN) check() error {
	if err := checkSizes(size{"h (hidden units)", 1, c.Hidden}); err != nil {
		return err
	}
	return notNegative("clip of the errors", c.Clip)
}

// String returns the name and size of the cell.
func (c SigmaRNN) String() string {
	s := fmt.Sprintf("sigma-rnn h=%d", c.Hidden)
	if c.Clip != 0 {
		s += fmt.Sprintf(" clip=%v", c.Clip)
	}
	return s
}

// Params returns R [h, h].
func (c SigmaRNN) Params(int) []stepgraph.Spec {
	return []stepgraph.Spec{{Name: "R", Rows: c.Hidden, Cols: c.Hidden, Init: tenth}}
}

// Count returns h^2.
func (c SigmaRNN) Count(int) int { return c.Hidden * c.Hidden }

// Output returns the width of h.
func (c SigmaRNN) Output() int { return c.Hidden }

// State returns h.
func (c SigmaRNN) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}}
}

// Step implements the equation above.
func (c SigmaRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	before := clipped(b, state[0], c.Clip)
	h := b.Sigmoid(clipped(b, b.Add(x, b.MatMul(before, stepgraph.ByName(params)("R"))), c.Clip))
	return clipped(b, h, c.Clip), []*stepgraph.Node{h}
}
