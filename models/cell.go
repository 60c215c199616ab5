package models

import (
	"fmt"
	"math"
	"strings"

	"pushdown/harness/stepgraph"
)

// Cell is a cell of the networks in this package: what it computes in a step, and
// what the parts around it and its tests need to know.
type Cell interface {
	stepgraph.Cell
	fmt.Stringer          // name and sizes, for the name of a network
	Output() int          // numbers of y_t
	Count(inputs int) int // trained parameters by formula, if x_t has so many numbers
}

// Reader is a cell that reads symbols through maps of its own, side by side:
// x_t, of Inputs numbers, is their product with the one-hot symbol. They are part
// of the [Recognizer] and not counted by the cell.
type Reader interface {
	Cell
	Inputs() int
}

// A lookup returns the parameter or state of a cell that has the name.
type lookup func(name string) *stepgraph.Node

// byName looks among the parameters or the states that a step is given. In
// [Layers] a prefix stands before the name.
func byName(list []*stepgraph.Node) lookup {
	return func(name string) *stepgraph.Node {
		for _, n := range list {
			if n.Name()[strings.LastIndexByte(n.Name(), '.')+1:] == name {
				return n
			}
		}
		panic(fmt.Sprintf("models: %s is not among the parameters or states %v", name, list))
	}
}

// uniform is uniform(-1/sqrt(n), 1/sqrt(n)).
func uniform(n int) stepgraph.Init {
	r := 1 / math.Sqrt(float64(n))
	return stepgraph.Init{Kind: stepgraph.Uniform, A: -r, B: r}
}

// affine lists W_x, W_h and b of gates maps of a cell with h units, the maps
// side by side.
func affine(in, h, gates int) []stepgraph.Spec {
	return []stepgraph.Spec{
		{Name: "W_x", Rows: in, Cols: gates * h, Init: uniform(h)},
		{Name: "W_h", Rows: h, Cols: gates * h, Init: uniform(h)},
		{Name: "b", Rows: 1, Cols: gates * h, Init: uniform(h)},
	}
}

// preactivation is W_x x_t + b + W_h h_{t-1}. The part of x comes first, so
// that it is computed for all steps at once.
func preactivation(b *stepgraph.Builder, x, h *stepgraph.Node, p lookup) *stepgraph.Node {
	return b.Add(b.Affine(x, p("W_x"), p("b")), b.MatMul(h, p("W_h")))
}

// A size is one of a cell, with the least that it may be.
type size struct {
	what       string
	need, have int
}

// enough refuses the first size that is too small.
func enough(sizes ...size) error {
	for _, s := range sizes {
		if s.have < s.need {
			return fmt.Errorf("%s is %d, want at least %d", s.what, s.have, s.need)
		}
	}
	return nil
}

// notNegative refuses a bound below zero, and one that is no number.
func notNegative(what string, have float64) error {
	if !(have >= 0) {
		return fmt.Errorf("%s is %v, want at least 0", what, have)
	}
	return nil
}
