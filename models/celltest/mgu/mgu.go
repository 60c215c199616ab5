// Package mgu is an example of a cell in a package of its own: the minimal gated unit [mgu].
// For a cell of one's own, copy the folder to own/mycell, which git ignores, and change the
// name of the package and the equations. The test comes with the folder:
//
//	mkdir -p own && cp -r models/celltest/mgu own/mycell
//	go test ./own/...
//
// # References
//
//	mgu  G.-B. Zhou, J. Wu, C.-L. Zhang, Z.-H. Zhou, Minimal Gated Unit for Recurrent Neural Networks, 2016
package mgu

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// Cell is the minimal gated unit:
//
//	f_t = sigma(W_f x_t + R_f h_{t-1} + b_f)
//	h_t = (1 - f_t) h_{t-1} + f_t tanh(W x_t + R (f_t h_{t-1}) + b)
//
// The output of the cell is h_t. There is no code for its gradient, which is derived from
// Step.
type Cell struct {
	Hidden int // width of h
}

// String returns the name and the size of the cell.
func (c Cell) String() string { return fmt.Sprintf("mgu h=%d", c.Hidden) }

// Output returns the width of h_t.
func (c Cell) Output() int { return c.Hidden }

// Count returns the number of trained parameters if x_t has the given width. A wrong formula
// is an error when a network is built.
func (c Cell) Count(inputs int) int { return 2 * c.Hidden * (inputs + c.Hidden + 1) }

// State lists the values that a step passes to the next step.
func (c Cell) State() []stepgraph.StateSpec {
	return []stepgraph.StateSpec{{Name: "h", Width: c.Hidden}}
}

// Params lists W_f, R_f and b_f of the gate, then W, R and b. The biases start at zero.
func (c Cell) Params(inputs int) (list []stepgraph.Spec) {
	start := stepgraph.Init{Kind: stepgraph.Normal, B: 0.3}
	for _, of := range []string{"_f", ""} {
		list = append(list, stepgraph.Spec{Name: "W" + of, Rows: inputs, Cols: c.Hidden, Init: start},
			stepgraph.Spec{Name: "R" + of, Rows: c.Hidden, Cols: c.Hidden, Init: start},
			stepgraph.Spec{Name: "b" + of, Rows: 1, Cols: c.Hidden})
	}
	return list
}

// Step implements the equations. Values are rows: W x_t is x times W.
func (c Cell) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	h, p := stepgraph.ByName(state)("h"), stepgraph.ByName(params)
	f := b.Sigmoid(b.Add(b.Affine(x, p("W_f"), p("b_f")), b.MatMul(h, p("R_f"))))
	fresh := b.Tanh(b.Add(b.Affine(x, p("W"), p("b")), b.MatMul(b.Mul(f, h), p("R"))))
	h = b.Add(b.Mul(b.OneMinus(f), h), b.Mul(f, fresh))
	return h, []*stepgraph.Node{h} // the output, and the next value of each state
}
