package models

import (
	"errors"
	"fmt"
	"strings"

	"pushdown/harness/stepgraph"
)

// Layers is cells on top of each other: the first reads x_t, each other one the
// y_t of the one below, and y_t is that of the last. Each keeps its own state.
// Parameters and states of the first are named layer1.W_x and so on, and what
// is dropped of its y depends on dropout.layer1. One of the cells cannot be
// Layers, which would drop the same of its own.
type Layers struct {
	Cells   []Cell  // from below, at least one
	Dropout float64 // rate in training on the y that another layer reads; 0: none
}

// check tells what is wrong with the cells.
func (c Layers) check() error {
	if len(c.Cells) == 0 {
		return errors.New("there are 0 layers, want at least 1")
	}
	for i, cell := range c.Cells {
		if cell == nil {
			return fmt.Errorf("layer %d of %d is nil, want a cell", i+1, len(c.Cells))
		}
		if _, ok := cell.(checked); ok {
			return fmt.Errorf("layer %d of %d is layers itself, want its cells in its place", i+1, len(c.Cells))
		}
	}
	return nil
}

// String names the cells from below.
func (c Layers) String() string {
	names := make([]string, len(c.Cells))
	for i, cell := range c.Cells {
		names[i] = fmt.Sprint(cell)
	}
	return strings.Join(names, " + ")
}

// layer is the prefix of the names of layer i.
func layer(i int) string { return fmt.Sprintf("layer%d.", i+1) }

// Params lists those of each layer, from below.
func (c Layers) Params(in int) []stepgraph.Spec {
	var list []stepgraph.Spec
	for i, cell := range c.Cells {
		for _, s := range cell.Params(in) {
			s.Name = layer(i) + s.Name
			list = append(list, s)
		}
		in = cell.Output()
	}
	return list
}

// Count is the sum of those of the layers.
func (c Layers) Count(in int) int {
	n := 0
	for _, cell := range c.Cells {
		n += cell.Count(in)
		in = cell.Output()
	}
	return n
}

// State lists those of each layer, from below.
func (c Layers) State() []stepgraph.StateSpec {
	var list []stepgraph.StateSpec
	for i, cell := range c.Cells {
		for _, s := range cell.State() {
			s.Name = layer(i) + s.Name
			list = append(list, s)
		}
	}
	return list
}

// Output is that of the last layer.
func (c Layers) Output() int { return c.Cells[len(c.Cells)-1].Output() }

// Step is a step of each layer, from below.
func (c Layers) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	var next []*stepgraph.Node
	for i, cell := range c.Cells {
		if i > 0 {
			x = b.Dropout("dropout."+strings.TrimSuffix(layer(i-1), "."), c.Dropout, x)
		}
		states, own := len(cell.State()), len(cell.Params(x.Shape()[1]))
		y, to := cell.Step(b, x, state[:states], params[:own])
		x, next = y, append(next, to...)
		state, params = state[states:], params[own:]
	}
	return x, next
}
