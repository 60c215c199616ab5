package models

import "pushdown/harness/stepgraph"

// Traced wraps a network on [DiffStk] whose graph also outputs the actions on its
// stacks and their top cells, [OutputActions] and [OutputTops].
type Traced struct{ Reader }

// Step is the Step of the cell with these outputs added.
func (w Traced) Step(b *stepgraph.Builder, x *stepgraph.Node, state, params []*stepgraph.Node) (*stepgraph.Node, []*stepgraph.Node) {
	z, next := w.Reader.Step(b, x, state, params)
	p := byName(params)
	said := b.Affine(z, p("A"), p("b_A"))
	actions := said.Shape()[1] / 4 * 3
	b.SetOutput(OutputActions, b.ExampleRows(b.Softmax(b.Slice(said, 0, actions, 1), 3)))
	b.SetOutput(OutputTops, b.ExampleRows(b.Top(next[0], 1)))
	return z, next
}
