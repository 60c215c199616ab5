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

// listGrads describes the kinds of operation that are gradients of a list. One instruction,
// kernel.ListGrad, computes all gradients of a list; the field result is the index of the
// operation's result among those of the instruction. The field head is the index of the
// integer attribute that holds the position of the head, or -1 if the operation has none. The
// field empty says whether the operation uses the empty value.
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
	head, empty := 0, []float32(nil) // head and empty value of the results so far
	for _, u := range dy.uses {
		if u.leaf || u.done || u.phase != first.phase || u.op.I[0] != first.op.I[0] {
			continue
		}
		// If lists were added, their gradients all read dy, but this instruction computes the
		// gradients of one list only. If u belongs to another list, a later call writes an
		// instruction for that list.
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
