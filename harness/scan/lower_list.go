package scan

import (
	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

func (p *plan) lowerList(v *value) {
	in := v.shape(kernel.List)
	in.I, in.F[0] = v.op.I, float32(v.op.F[0])
	a := p.args(v)
	if v.op.Kind == stepgraph.List {
		a = []kernel.Arg{a[0], a[1], a[2], a[3], a[4], {}, a[5]}
	}
	in.Args = a
	p.emit(v.phase, in)
}

// listGrads describes the operations that compute a gradient of a move of a list. One
// instruction, kernel.ListGrad, computes all these gradients. The field result says which
// result of the instruction the operation computes. The field head is the index of the
// integer attribute with the position of the head, or -1 if the operation has no such
// attribute. The field empty says whether the operation has the value of empty cells as an
// attribute.
var listGrads = map[stepgraph.Kind]struct {
	result, head int
	empty        bool
}{
	stepgraph.ListGrad: {0, 1, false}, stepgraph.ListNoopGrad: {0, 1, false},
	stepgraph.ListGradLeft: {1, -1, true}, stepgraph.ListGradRight: {2, -1, true}, stepgraph.ListGradInsert: {3, 2, false},
}

// lowerListGrad writes one instruction for all gradients of one move of a list. It is
// called for the first of these gradients in the order of computation.
func (p *plan) lowerListGrad(first *value) {
	dy := first.in[0]
	in := dy.shape(kernel.ListGrad)
	in.Note = first.label()
	in.I[0], in.Nonzero = first.op.I[0], dy.nonzero
	in.Args = make([]kernel.Arg, 11)
	in.Args[4] = p.argOf(dy, first)
	for _, i := range []int{5, 6, 7, 8, 10} {
		in.Args[i] = in.Args[4] // unused operands must still have a valid address
	}
	var s *value
	head, empty := 0, []float32(nil) // position of the head and value of empty cells, from the results so far
	for _, u := range dy.uses {
		if u.leaf || u.done || u.phase != first.phase || u.op.I[0] != first.op.I[0] {
			continue
		}
		// If the graph sums several lists, the gradients of all of them read dy. One instruction
		// computes the gradients of a single list. So skip the operation u if it belongs to
		// another list than the results so far; a later call handles it.
		g, ok := listGrads[u.kind()]
		switch {
		case !ok || in.Args[g.result].Slot != kernel.Absent,
			g.head >= 0 && head > 0 && head != u.op.I[g.head],
			g.empty && empty != nil && empty[0] != float32(u.op.F[0]),
			g.result > 0 && s != nil && s != u.in[1]:
			continue
		}
		u.done = true
		in.Args[g.result] = u.at
		if g.head >= 0 {
			head = u.op.I[g.head]
		}
		if g.empty {
			empty = []float32{float32(u.op.F[0])}
		}
		if g.result > 0 {
			s = u.in[1]
			in.Args[5] = p.argOf(s, u)
		}
		switch g.result {
		case 0:
			for i, w := range u.in[1:] {
				in.Args[6+i] = p.argOf(w, u)
			}
		case 3:
			in.Args[10] = p.argOf(u.in[2], u)
		}
	}
	in.I[1] = max(head, 1)
	if empty != nil {
		in.F[0] = empty[0]
	}
	p.emit(first.phase, in)
}
