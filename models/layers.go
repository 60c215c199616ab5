package models

import (
	"errors"
	"fmt"
	"strings"

	"pushdown/harness/stepgraph"
)

// Layers is a cell made of several cells, one above the other. The first cell reads x_t,
// and each further cell reads the y_t of the cell below it. The y_t of Layers is that of
// the last cell. Each cell has its own state.
//
// Parameters and states of the first cell are named layer1.W_x and so on. The dropout of
// its output is named dropout.layer1, and this name determines the random numbers of the
// dropout. Layers cannot be nested, because an inner and an outer dropout would then have
// the same name.
type Layers struct {
	Cells   []Cell  // from the first layer up, at least one
	Dropout float64 // dropout rate in training on each y that another layer reads; 0: none
}

// check returns an error if the cells are invalid.
func (c Layers) check() error {
	if len(c.Cells) == 0 {
		return errors.New("there are 0 layers, want at least 1")
	}
	for i, cell := range c.Cells {
		if cell == nil {
			return fmt.Errorf("layer %d of %d is nil, want a cell", i+1, len(c.Cells))
		}
		if _, ok := cell.(interface{ layers() []Cell }); ok { // also true for a pointer to Layers and for a struct that embeds Layers
			return fmt.Errorf("layer %d of %d is layers itself, want its cells in its place", i+1, len(c.Cells))
		}
		if k, ok := cell.(checked); ok {
			if err := k.check(); err != nil {
				return fmt.Errorf("layer %d of %d: %w", i+1, len(c.Cells), err)
			}
		}
	}
	return nil
}

// layers returns the cells. Only Layers has this method, which distinguishes it
// from other cells.
func (c Layers) layers() []Cell { return c.Cells }

// String returns the names of the cells, from the first layer up.
func (c Layers) String() string {
	names := make([]string, len(c.Cells))
	for i, cell := range c.Cells {
		names[i] = fmt.Sprint(cell)
	}
	return strings.Join(names, " + ")
}

// layer returns the prefix of the names of layer i.
func layer(i int) string { return fmt.Sprintf("layer%d.", i+1) }

// Params lists the parameters of each layer, from the first up.
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

// Count returns the sum of the counts of the layers.
func (c Layers) Count(in int) int {
	n := 0
	for _, cell := range c.Cells {
		n += cell.Count(in)
		in = cell.Output()
	}
	return n
}

// State lists the states of each layer, from the first up.
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

// Output returns the width of the output of the last layer.
func (c Layers) Output() int { return c.Cells[len(c.Cells)-1].Output() }

// Step runs a step of each layer, from the first up.
func (c Layers) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	var next []*stepgraph.Node
	for i, cell := range c.Cells {
		if i > 0 {
			x = b.Dropout("dropout."+strings.TrimSuffix(layer(i-1), "."), c.Dropout, x)
		}
		states, own := len(cell.State()), len(cell.Params(x.Shape()[1]))
		y, to := b.Step(cell, x, state[:states], params[:own])
		x, next = y, append(next, to...)
		state, params = state[states:], params[own:]
	}
	return x, next
}
