package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// AssignmentLSTM is an LSTM that chooses its weights by the symbol read. It is described
// in section 3.2.1 of [second-order-lstm], before the [AttentionLSTM]. Each symbol is
// assigned in advance to one of S cells:
//
//	s = CellOf[symbol read at t]
//	h_t, c_t = LSTM_s(x_t, h_{t-1}, c_{t-1})
//	y_t = h_t
//
// The cells are [LSTM]s that have separate weights but share one state. Like an
// AttentionLSTM, the network mixes the results of its cells with attention weights. Here
// the weights are given: they are the rows of a frozen table A, [V, S], which has a single
// 1 in each row. For brackets the paper assigns a cell to each type; see [ByType].
type AssignmentLSTM struct {
	Hidden int   // h
	Cells  int   // S
	CellOf []int // index of the cell of each symbol of the vocabulary, from 0
}

// String returns the name and sizes of the cell.
func (c AssignmentLSTM) String() string {
	return fmt.Sprintf("assignment-lstm h=%d S=%d", c.Hidden, c.Cells)
}

// ByType returns the CellOf of an [AssignmentLSTM] for brackets. It assigns both brackets
// of type i, 0 <= i < k, to cell i, and all other symbols to cell 0. Among these are START
// and END, about which the paper says nothing.
func ByType(k, vocabulary int) []int {
	of := make([]int, vocabulary)
	for i := range 2 * k {
		of[i] = i % k
	}
	return of
}

// Params returns W_x [in, 4Sh], W_h [h, 4Sh] and b [1, 4Sh], laid out as in
// [AttentionLSTM], and the table A. It panics unless every index in CellOf is from 0 to
// S-1.
func (c AssignmentLSTM) Params(in int) []stepgraph.Spec {
	one := make([]float32, len(c.CellOf)*c.Cells)
	for symbol, cell := range c.CellOf {
		if cell < 0 || cell >= c.Cells {
			panic(fmt.Sprintf("models: %v: symbol %d belongs to cell %d, want 0 to %d", c, symbol, cell, c.Cells-1))
		}
		one[symbol*c.Cells+cell] = 1
	}
	table := stepgraph.Spec{Name: "A", Rows: len(c.CellOf), Cols: c.Cells, Init: stepgraph.Init{Kind: stepgraph.FromValues, Values: one}, Frozen: true}
	return append(affine(in, c.Hidden, 4*c.Cells), table)
}

// Count returns 4Sh (in + h + 1).
func (c AssignmentLSTM) Count(in int) int { return c.Cells * LSTM{Hidden: c.Hidden}.Count(in) }

// State returns h and c.
func (c AssignmentLSTM) State() []stepgraph.StateSpec { return LSTM{Hidden: c.Hidden}.State() }

// Output returns the width of h.
func (c AssignmentLSTM) Output() int { return c.Hidden }

// Step implements the equations above.
func (c AssignmentLSTM) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	p := stepgraph.ByName(params)
	return mixedCells(b, x, b.Gather(p("A"), b.Token()), stepgraph.ByName(state), p)
}
