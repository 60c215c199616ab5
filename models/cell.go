package models

import (
	"fmt"
	"math"

	"pushdown/harness/stepgraph"
)

// Cell is a recurrent cell of the networks in this package. It adds to the step what a network
// must know to read the cell's output, and what tests check.
type Cell interface {
	stepgraph.Cell
	fmt.Stringer          // name and sizes, for the name of a network
	Output() int          // width of y_t
	Count(inputs int) int // number of trained parameters for an x_t of this width, by formula
}

// Reader is a cell that reads one-hot symbols. The matrices that it multiplies by the
// symbol are not parameters of the cell but of the network, such as a [Recognizer]. The
// network holds them side by side in a table with a row of Inputs numbers for each
// symbol, and x_t is the row of the symbol read. The Count of the cell does not include
// this table.
type Reader interface {
	Cell
	Inputs() int
}

// A lookup returns the parameter or state of a cell with the given name, as
// [stepgraph.ByName] does.
type lookup = func(name string) *stepgraph.Node

// uniform returns the initial values uniform(-1/sqrt(n), 1/sqrt(n)).
func uniform(n int) stepgraph.Init {
	r := 1 / math.Sqrt(float64(n))
	return stepgraph.Init{Kind: stepgraph.Uniform, A: -r, B: r}
}

// affine lists W_x, W_h and b of a cell with h units. Each of the three holds h columns
// for each gate, side by side.
func affine(in, h, gates int) []stepgraph.Spec {
	return []stepgraph.Spec{
		{Name: "W_x", Rows: in, Cols: gates * h, Init: uniform(h)},
		{Name: "W_h", Rows: h, Cols: gates * h, Init: uniform(h)},
		{Name: "b", Rows: 1, Cols: gates * h, Init: uniform(h)},
	}
}

// preactivation returns W_x x_t + b + W_h h_{t-1}. It adds in this order because W_x
// x_t + b does not depend on the state, so this sum can be computed for all time steps
// at once.
func preactivation(b *stepgraph.Builder, x, h *stepgraph.Node, p lookup) *stepgraph.Node {
	return b.Add(b.Affine(x, p("W_x"), p("b")), b.MatMul(h, p("W_h")))
}

// A size is the width of a cell or another number of its definition, with its name and
// the smallest value allowed.
type size struct {
	what       string
	need, have int
}

// checkSizes returns an error for the first size that is below its minimum.
func checkSizes(sizes ...size) error {
	for _, s := range sizes {
		if s.have < s.need {
			return fmt.Errorf("%s is %d, want at least %d", s.what, s.have, s.need)
		}
	}
	return nil
}

// notNegative returns an error if a bound is negative or NaN.
func notNegative(what string, have float64) error {
	if !(have >= 0) {
		return fmt.Errorf("%s is %v, want at least 0", what, have)
	}
	return nil
}
