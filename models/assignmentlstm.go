package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// AssignmentLSTM is the model that [second-order-lstm] (section 3.2.1) tried before
// the [AttentionLSTM]: each symbol belongs to one of S cells from the start,
//
//	s = Of[symbol read at t]
//	h_t, c_t = LSTM_s(x_t, h_{t-1}, c_{t-1})
//	y_t = h_t
//
// where the cells are [LSTM]s with weights of their own and hand the state on
// to each other. It is an AttentionLSTM whose weights are given: a frozen table
// A, [V, S], with a 1 in each row. For brackets the paper gives each type a cell;
// see [ByType].
type AssignmentLSTM struct {
	Hidden int   // h
	Cells  int   // S
	Of     []int // cell of each symbol of the vocabulary, from 0
}

// String names the cell and its sizes.
func (c AssignmentLSTM) String() string {
	return fmt.Sprintf("assignment-lstm h=%d S=%d", c.Hidden, c.Cells)
}

// ByType gives both brackets of a type the cell of its number, of k types, and
// the further symbols of the vocabulary the first cell: the paper does not say
// where START and END go.
func ByType(k, vocabulary int) []int {
	of := make([]int, vocabulary)
	for i := range 2 * k {
		of[i] = i % k
	}
	return of
}

// Params is W_x [in, 4Sh], W_h [h, 4Sh], b [1, 4Sh], laid out as in
// [AttentionLSTM], and the table A. It panics if a symbol belongs to no cell.
func (c AssignmentLSTM) Params(in int) []stepgraph.Spec {
	one := make([]float32, len(c.Of)*c.Cells)
	for symbol, cell := range c.Of {
		if cell < 0 || cell >= c.Cells {
			panic(fmt.Sprintf("models: %v: symbol %d belongs to cell %d, want 0 to %d", c, symbol, cell, c.Cells-1))
		}
		one[symbol*c.Cells+cell] = 1
	}
	table := stepgraph.Spec{Name: "A", Rows: len(c.Of), Cols: c.Cells, Init: stepgraph.Init{Kind: stepgraph.Given, Values: one}, Frozen: true}
	return append(affine(in, c.Hidden, 4*c.Cells), table)
}

// Count is 4Sh (in + h + 1).
func (c AssignmentLSTM) Count(in int) int { return c.Cells * LSTM{Hidden: c.Hidden}.Count(in) }

// State is h and c.
func (c AssignmentLSTM) State() []stepgraph.StateSpec { return LSTM{Hidden: c.Hidden}.State() }

// Output is h.
func (c AssignmentLSTM) Output() int { return c.Hidden }

// Step is the equations above.
func (c AssignmentLSTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p := byName(params)
	return mixedCells(b, x, b.Gather(p("A"), b.Token()), byName(state), p)
}
