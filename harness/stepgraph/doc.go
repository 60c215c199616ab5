// Package stepgraph represents a recurrent cell as the graph of one time step.
//
// A cell is written once, against [Builder]. The builder makes a
// [gorgonia.ExprGraph] whose nodes hold the operations of this package's table.
// Everything else is derived from that graph:
//
//   - the gradient: [Graph.Differentiate] calls SymDiff on the nodes in reverse order;
//   - the fast run, which harness/scan plans and executes;
//   - the slow reference run: [Unroll] unrolls the graph over time for Gorgonia's
//     TapeMachine;
//   - the printed program and the parameter count.
//
// # Shapes
//
// Every value is a row-major matrix. The letters stand for sizes:
//
//	B  strings active in a step     D  rows of a stack (cells times width of a cell)
//	E  predictions in the loss      s  stacks per string
//	n  width of a row               p  width of a stack cell
//
// A value belongs to one of three domains. A static value (a parameter, a run-time
// scalar, or a value computed from these alone) has a fixed shape. A step value has
// one row per active string, [B, n]; if it is a stack, it has one column per string
// and stack instead, [D, B*s]. This stack-major layout makes a push a shift of
// whole rows. An example value has one row per prediction that enters the loss.
// [Builder.ExampleRows] turns step values into example values. Only gradients flow from
// example values back to step values.
//
// # Operations
//
// The table in kind.go lists the operations. Each row has a name, the meaning, a shape
// rule, a gradient rule and a slow, simple implementation, which computes in float64
// and rounds once if the graph is float32. There are few operations, and tests compare
// the gradient of each with finite differences in float64. None of Gorgonia's own
// operations computes a value, because several of them have wrong gradients or the same
// hash as a different operation.
//
// Gorgonia identifies a node by a 32-bit hash. Every operation here therefore
// carries a serial number that is part of the hash. If the hash collides, the builder
// tries the next serial number, so two nodes are never merged by accident. The builder
// itself merges equal operations on equal inputs, on purpose.
//
// # Mistakes
//
// [Build] returns an error for a mistake in a cell, and does not panic. It finds mistakes in the
// method Step, and checks the number of next states, Output and Count against the graph. The error
// has the names and shapes of the cell, with B and E for sizes that are not known yet, and ends with
// the line of the call:
//
//	matmul of x [Bx2] and R [8x8]: inner sizes 2 and 8 differ (mgu.go:52)
//
// # Order of gradients
//
// The gradient of a node is a sum with one term for each use of the node as an input.
// The terms are added in descending order of the consumers' ids. The terms from one
// consumer are added in ascending order of input position. The gradient carried from
// the following step comes before all others. Two refinements make this cheap: the
// gradient of a slice is added only to the elements of the slice, and the gradients of
// slices that cover a node exactly are concatenated.
package stepgraph
