package scan

import (
	"slices"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// vectors returns a step with a memory that starts empty. Its cells have two numbers.
// The memory is a stack or, if round is set, a circular memory in which the cell that
// leaves at one end enters at the other.
func vectors(cells int, round bool) func(b *stepgraph.Builder, x *node) *node {
	return func(b *stepgraph.Builder, x *node) *node {
		const p, h = 2, 5
		last := (cells - 1) * p
		s := b.State(stepgraph.StateSpec{Name: "s", Width: cells * p, Stacks: 1})
		hid := b.State(stepgraph.StateSpec{Name: "h", Width: h})
		read := b.Concat(x, hid, b.Top(s, p))
		next := b.Tanh(b.MatMul(read, b.Param(param("W", 4+h+p, h))))
		a := b.Split(b.Softmax(b.MatMul(next, b.Param(param("A", h, 3))), 3), 3)
		v := b.ToStackMajor(b.MatMul(next, b.Param(param("V", h, p))), p)
		if !round {
			b.SetNext(s, b.AddTop(b.Push(s, a[0], b.Add(a[1], a[2]), v, p, 0), v))
			b.SetNext(hid, next)
			return next
		}
		part := func(at int, by *node) *node {
			x := b.Apply(stepgraph.Op{Kind: stepgraph.SliceRows, I: [3]int{at, p, 1}}, s)
			return b.Apply(stepgraph.Op{Kind: stepgraph.ScaleCols}, x, by)
		}
		down, up := part(last, a[0]), part(0, a[1])
		zeros := b.ToStackMajor(b.StopGrad(b.Scale(b.MatMul(next, b.Param(param("Z", h, p))), 0)), p)
		m := b.AddTop(b.PushNoop(s, a[0], a[1], a[2], zeros, p, 0), b.Add(down, v))
		b.SetNext(s, b.Apply(stepgraph.Op{Kind: stepgraph.AddAtRows, I: [3]int{last, 0, 1}}, m, up))
		b.SetNext(hid, next)
		return next
	}
}

// TestFillingStacks compares stacks that are computed only in the cells that can be filled
// with stacks that are computed in all cells. The bits of the results must be the same. Some
// batches have fewer steps than the stacks have cells, and others have more. All run in
// sequence on one VM. The test also runs batches that continue others.
func TestFillingStacks(t *testing.T) {
	batches := [][]int{{3}, {20, 18, 18, 17, 9, 9, 2, 1, 1, 1}, slices.Repeat([]int{20}, 8), slices.Repeat([]int{17, 16, 16}, 1), slices.Repeat([]int{4}, 30), {20, 20, 20, 20, 3, 3, 3}}
	for _, c := range []testCell{{"stack", 5, vectors(24, false)}, {"shallow", 5, vectors(3, false)}, {"round", 5, vectors(24, true)}, {"small", 5, vectors(4, true)}} {
		g := build(t, stepgraph.Config{Seed: 3}, c.width, c.step)
		opts := Options{MaxStrings: 20, MaxRows: 400, MaxSteps: 32, MaxExamples: 400, MergeWidth: 1}
		dev := device(t, testISA(), 1)
		near, whole := compiled(t, g, dev, opts), unshared(t, g, dev, opts)
		if !slices.ContainsFunc(near.plan.code[Loop], func(in kernel.Instr) bool { return in.Op == kernel.Stack && in.Nonzero != nil }) {
			t.Fatalf("%s: the stack has no nonzero range", c.name)
		}
		for i, active := range batches {
			p := newProblem(g, active, uint64(i))
			if got, want := outcome(t, near, p), outcome(t, whole, p); !slices.Equal(got, want) {
				t.Errorf("%s: batch %d of %v has other results than with whole stacks", c.name, i, active)
			}
			if near.segmentLen == 0 && len(active) > 5 {
				t.Errorf("%s: batch %d of %v keeps its states, want none kept", c.name, i, active)
			}
		}
		p := newProblem(g, slices.Repeat([]int{20}, 12), 9)
		if got, want := inChunks(t, near, p, 5, 9), inChunks(t, whole, p, 5, 9); !slices.Equal(got, want) {
			t.Errorf("%s: batches that continue others have other results than with whole stacks", c.name)
		}
	}
}

// TestNonzeroStacksHaveNoRange checks that the plan gives no stack a range of cells that may
// differ from zero, in two cases: in training, and if empty cells are not zero.
func TestNonzeroStacksHaveNoRange(t *testing.T) {
	dev := device(t, testISA(), 1)
	for _, c := range allCells {
		for _, g := range []*stepgraph.Graph{build(t, stepgraph.Config{Seed: 3}, c.width, c.step), training(t, c)} {
			opts := Options{MaxStrings: 5, MaxRows: 64, MaxSteps: 32, MaxExamples: 64}
			p := compiled(t, g, dev, opts).plan
			for _, in := range p.code[Loop] {
				if in.Op == kernel.Stack && in.Nonzero != nil && (p.train || in.F[0] != 0) {
					t.Errorf("%s: a stack in training %v, with empty cells of %v, has a nonzero range", c.name, p.train, in.F[0])
				}
			}
		}
	}
}
