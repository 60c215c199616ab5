package stepgraph

import "fmt"

// byIndex lists the operations whose second operand holds whole numbers: indices, or
// the coordinates of a random draw. That operand must be an input of the graph, because
// the host checks the numbers when they are set. No other operation can read such an
// input, because it is stored as int32.
var byIndex = map[Kind]bool{
	Gather: true, ScatterAdd: true, GatherRows: true, ScatterRows: true,
	CrossEntropy: true, CrossEntropyGrad: true, Dropout: true, Noise: true,
}

// wholeNumbers reports whether n is a whole-number input.
func (g *Graph) wholeNumbers(n *Node) bool {
	for _, in := range g.Inputs {
		if in.Node == n {
			return in.Int
		}
	}
	return false
}

// acceptsTypes returns an error if o reads floating-point numbers where it needs whole
// numbers, or whole numbers where it needs floating-point numbers.
func (g *Graph) acceptsTypes(o *Op, in []*Node) error {
	for i, x := range in {
		index, whole := i == 1 && byIndex[o.Kind], g.wholeNumbers(x)
		switch {
		case index && !whole:
			return fmt.Errorf("have %s as indices, want a whole-number input", g.b.brief(x))
		case whole && !index:
			return fmt.Errorf("%s is a whole-number input, want numbers", x.Name())
		}
	}
	return nil
}
