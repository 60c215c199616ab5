package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// SigmaRNN is the simple recurrent network [elman] as [stack-rnn] has it (equation
// 1), a Stack RNN without stacks:
//
//	h_t = sigma(x_t + R h_{t-1})
//	y_t = h_t
//
// x_t is U times the symbol; there is no bias, and weights start normal(0, 0.1).
type SigmaRNN struct {
	Hidden int     // h
	Clip   float64 // of the gradients of y_t, h_t and h_t before sigma in training; 0: none
}

// SigmaLanguageModel predicts each next symbol out of a vocabulary V with a
// [SigmaRNN].
func SigmaLanguageModel(c SigmaRNN, vocabulary int) (*Model, error) {
	return patternModel(c, c.Hidden, vocabulary)
}

func (c SigmaRNN) check() error {
	if err := enough(size{"h (hidden units)", 1, c.Hidden}); err != nil {
		return err
	}
	return notNegative("clip of the errors", c.Clip)
}

// String names the cell and its size.
func (c SigmaRNN) String() string {
	s := fmt.Sprintf("sigma-rnn h=%d", c.Hidden)
	if c.Clip != 0 {
		s += fmt.Sprintf(" clip=%v", c.Clip)
	}
	return s
}

// Params is R [h, h].
func (c SigmaRNN) Params(int) []stepgraph.Spec {
	return []stepgraph.Spec{{Name: "R", Rows: c.Hidden, Cols: c.Hidden, Init: tenth}}
}

// Count is h^2.
func (c SigmaRNN) Count(int) int { return c.Hidden * c.Hidden }

// Output is h.
func (c SigmaRNN) Output() int { return c.Hidden }

// State is h.
func (c SigmaRNN) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}}
}

// Step is the equation above.
func (c SigmaRNN) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	before := clipped(b, state[0], c.Clip)
	h := b.Sigmoid(clipped(b, b.Add(x, b.MatMul(before, byName(params)("R"))), c.Clip))
	return clipped(b, h, c.Clip), []*stepgraph.Node{h}
}
