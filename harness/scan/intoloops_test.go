package scan

import (
	"math"
	"slices"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// movedIntoLoops compiles g as Compile does, but moves every value that can be moved into a
// loop, however little memory the move saves.
func movedIntoLoops(t *testing.T, g *stepgraph.Graph, dev kernel.Device, opts Options) *VM {
	t.Helper()
	return changed(t, g, dev, opts, func(p *plan) { p.minSaved = math.MinInt })
}

// TestMoveIntoLoops checks that moving values into the loops changes no bit. For the
// Dyck-RNN it also checks that values are moved in a large batch, but not in a small
// one: in the large batch, fewer instructions follow the backward loop. For the LSTM it checks
// the same of lookups: in the large batch, the loop has some.
func TestMoveIntoLoops(t *testing.T) {
	dev := device(t, testISA(), 1)
	for _, c := range allCells {
		g := training(t, c)
		p := newProblem(g, manyRows(), 7)
		opts := bounds(p, 0)
		plain, near := compiled(t, g, dev, opts), movedIntoLoops(t, g, dev, opts)
		if !slices.Equal(outcome(t, plain, p), outcome(t, near, p)) {
			t.Errorf("%s: values moved into the loops have other bits", c.name)
		}
		lookups := func(vm *VM) (n int) {
			for _, in := range vm.plan.code[Loop] {
				if in.Op == kernel.Gather {
					n++
				}
			}
			return n
		}
		if c.name == "lstm" {
			large := opts
			large.MaxRows = 1 << 17
			if lookups(plain) > 0 || lookups(near) == 0 || lookups(compiled(t, g, dev, large)) == 0 {
				t.Errorf("%d lookups in the loop of a small batch, %d with every value moved, %d of a large batch, want none in the first only",
					lookups(plain), lookups(near), lookups(compiled(t, g, dev, large)))
			}
		}
		if c.name != "dyck" {
			continue
		}
		after := func(vm *VM) int { return len(vm.plan.code[BackPost]) }
		if opts.MaxRows = 1 << 17; after(compiled(t, g, dev, opts)) >= after(plain) || after(near) >= after(plain) {
			t.Errorf("%d instructions follow the backward loop of a large batch, %d with every value moved, want fewer than the %d of a small batch",
				after(compiled(t, g, dev, opts)), after(near), after(plain))
		}
	}
}

// TestMoveIntoLoopsSaves checks that a value is not moved if the move saves no memory.
func TestMoveIntoLoopsSaves(t *testing.T) {
	dev := device(t, testISA(), 1)
	g, err := stepgraph.Build(stepgraph.Config{}, func(b *stepgraph.Builder) {
		x := b.Gather(b.Param(param("E", vocabulary, 4)), b.Token())
		h := b.State(stepgraph.StateSpec{Name: "h", Width: 4})
		next := b.Tanh(b.Add(b.MatMul(h, b.Param(param("U", 4, 4))), x))
		b.SetNext(h, next)
		b.SetOutput("next", next)               // outlives the step
		b.SetOutput("twice", b.Add(next, next)) // moving it saves nothing
		logits := b.Affine(b.ExampleRows(next), b.Param(param("W", 4, classes)), b.Param(param("bias", 1, classes)))
		b.SetLoss(b.CrossEntropy(logits, b.Target()))
	})
	if err != nil {
		t.Fatal(err)
	}
	p := newProblem(g, ragged, 3)
	if vm := changed(t, g, dev, bounds(p, 0), func(p *plan) { p.minSaved = 1 }); len(vm.plan.code[Post]) == 0 {
		t.Error("a sum of kept values is moved into the loop, want it after")
	}
}
