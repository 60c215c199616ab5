package scan

import (
	"slices"
	"testing"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
)

// TestPerString checks that PerString multiplies gradients by the number of predictions
// per string. The batch has two predictions per string. A multiplication by 2 is exact,
// so the bits must agree.
func TestPerString(t *testing.T) {
	gradients := func(c testCell, perString bool, active []int, scale int) []float32 {
		g := build(t, stepgraph.Config{Training: true, Seed: 3}, c.width, c.step)
		p := newProblem(g, active, 5)
		p.examples = 4
		p.ints[stepgraph.InputExampleRows], p.ints[stepgraph.InputTarget] = []int32{1, 3, 4, 5}, []int32{0, 1, 1, 0}
		if err := g.Differentiate(); err != nil {
			t.Fatal(err)
		}
		opts := bounds(p, 0)
		opts.PerString, opts.GradScale = perString, scale
		vm, err := Compile(g, device(t, cpu.Best(), 1), opts)
		if err != nil {
			t.Fatal(err)
		}
		defer vm.Close()
		if err := vm.Begin(p.active, p.examples); err != nil {
			t.Fatal(err)
		}
		p.load(t, vm)
		if err := vm.RunAll(); err != nil {
			t.Fatal(err)
		}
		var all []float32
		for _, r := range vm.Layout().Trainable {
			x, err := vm.Grad(r.Name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, x...)
		}
		return all
	}
	for _, c := range testCells {
		want := gradients(c, false, []int{2, 2, 1, 1}, 0)
		for i := range want {
			want[i] *= 2
		}
		for _, scale := range []int{0, 20} {
			if got := gradients(c, true, []int{2, 2, 1, 1}, scale); !slices.Equal(want, got) {
				t.Errorf("%s: gradient of the mean over two strings is not twice that over four predictions", c.name)
			}
		}
	}
}
