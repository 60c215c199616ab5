package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// Dropped is a cell whose output is dropped out in training. Unlike the Dropout of a [Readout], this
// also drops the state that is passed on to the next step, if it is the output, as h_t of an [RNN] or an [LSTM]
// is. It is one reading of "dropout to the hidden state before passing it through the softmax" in
// section 5.3 of [resurgence].
type Dropped struct {
	Cell
	Rate float64
}

// String returns the name of the cell and the rate.
func (c Dropped) String() string { return fmt.Sprintf("%v dropped=%v", c.Cell, c.Rate) }

// Step runs a step of the cell and drops its output out.
func (c Dropped) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	y, next := b.Step(c.Cell, x, state, params)
	dropped := b.Dropout("dropout.output", c.Rate, y)
	for i, s := range next {
		if s == y {
			next[i] = dropped
		}
	}
	return dropped, next
}

func (c Dropped) check() error {
	if in, ok := c.Cell.(checked); ok {
		return in.check()
	}
	return nil
}
