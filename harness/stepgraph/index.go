package stepgraph

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

// checkIndices fails if n reads floating-point numbers where it needs whole numbers, or
// whole numbers where it needs floating-point numbers.
func (g *Graph) checkIndices(n *Node) {
	o := OpOf(n)
	for i, x := range g.InputsOf(n) {
		index, whole := i == 1 && byIndex[o.Kind], g.wholeNumbers(x)
		switch {
		case index && !whole && OpOf(x) != nil:
			fail("%v by the result of %v, want a whole-number input", o, OpOf(x))
		case index && !whole:
			fail("%v by %s, want a whole-number input", o, x.Name())
		case whole && !index:
			fail("%v of the whole-number input %s, want numbers", o, x.Name())
		}
	}
}
