// Package stepgraph holds a recurrent cell as the graph of one time step.
//
// A cell is written once, against [Builder]; what it builds is a
// [gorgonia.ExprGraph] whose nodes carry the operations of this package's
// table. Everything else is derived from that graph: the gradient (a reverse
// pass over SymDiff, [Graph.Differentiate]), the fast run (harness/scan plans
// and scans it), the slow reference run ([Unroll] gives the same graph
// unrolled in time to Gorgonia's TapeMachine), the printed program and the
// parameter count.
//
// # Shapes
//
// Every value is a matrix, row-major, last index fastest. The letters:
//
//	B  strings active in a step     D  rows of a stack (cells times width)
//	E  examples under the loss      s  stacks per string
//	n  width of a row               p  width of a stack cell
//
// A value belongs to one of three domains. A static value (parameters and what
// is computed of them alone) has the same shape throughout. A step value has
// one row for each active string, [B, n], or, if it is a stack, one column for
// each, [D, B*s]: stack-major, so that a push is a shift of whole rows. An
// example value has one row for each prediction that the loss looks at.
// [Builder.Picked] leads from step to example values; nothing leads back but its
// gradient.
//
// # Operations
//
// The table in kind.go is the list: name, meaning, shape rule, gradient rule,
// and the slow, obvious computation of each, done in float64 and rounded once
// when the graph is float32. Few operations, each of them checked by float64
// finite differences. None of Gorgonia's own operations is used: several of
// them hash alike when they differ or have wrong gradients.
//
// Node identity in Gorgonia is a 32-bit hash. Every operation here therefore
// carries a serial number, drawn again when a hash collides, so two nodes can
// never be merged by accident; equal operations on equal inputs are merged by
// the builder instead, on purpose.
//
// # Order of gradients
//
// Gradients that meet at a node are added in descending id of the consuming
// node, then rising input position, and the gradient carried from the
// following step comes before all of them. Two refinements keep that cheap
// without touching other elements: the gradient of a slice is added only where
// the slice lies, and slices that cover a node exactly are concatenated.
package stepgraph
