package models

import "pushdown/harness/stepgraph"

// Traced wraps a cell with a [DiffStk]. Its graph also has the outputs [OutputActions],
// the weights of the actions on the stacks, and [OutputTops], the top cells of the
// stacks.
type Traced struct{ Reader }

// Step runs the Step of the wrapped cell and adds the outputs OutputActions and
// OutputTops.
func (w Traced) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	z, next := b.Step(w.Reader, x, state, params)
	p := stepgraph.ByName(params)
	said := b.Affine(z, p("A"), p("b_A"))
	actions := said.Shape()[1] / 4 * 3
	b.SetOutput(OutputActions, b.ExampleRows(b.Softmax(b.Slice(said, 0, actions, 1), 3)))
	b.SetOutput(OutputTops, b.ExampleRows(b.Top(next[0], 1)))
	return z, next
}
