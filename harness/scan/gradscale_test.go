package scan

import (
	"math"
	"slices"
	"testing"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
)

// TestGradScale checks that GradScale changes no bit of the gradients of the test
// cells, where nothing is subnormal. It also checks that GradScale keeps digits that
// would be lost otherwise. In this second test the gradient of a state falls to about
// 2^-140 on its way back through nearly closed gates. The gradient of a parameter is a
// normal number again, because it is a product of this gradient and a large input.
func TestGradScale(t *testing.T) {
	gradients := func(c testCell, active []int, seed uint64, scale int, change func(*problem)) []float32 {
		g := build(t, stepgraph.Config{Training: true, Seed: 3}, c.width, c.step)
		p := newProblem(g, active, seed)
		if change != nil {
			change(p)
		}
		if err := g.Differentiate(); err != nil {
			t.Fatal(err)
		}
		opts := bounds(p, 0)
		opts.GradScale = scale
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
		plain := gradients(c, ragged, 5, 0, nil)
		if scaled := gradients(c, ragged, 5, 64, nil); !slices.Equal(plain, scaled) {
			t.Errorf("%s: gradients of a loss scaled by 2^64 differ from those of the loss", c.name)
		}
	}
	closed := testCell{"closed", 1, func(b *stepgraph.Builder, x *node) *node {
		s := b.State(stepgraph.StateSpec{Name: "s", Width: 1})
		next := b.Add(b.Scale(s, 0x1.8p-29), b.MatMul(x, b.Param(param("V", 4, 1))))
		b.SetNext(s, next)
		return next
	}}
	// There is one prediction, after the last of six steps. The first step reads
	// symbol 0, which has a large embedding. The other steps read symbol 1, whose
	// embedding is zero.
	last := func(p *problem) {
		p.examples = 1
		p.ints[stepgraph.InputToken] = []int32{0, 1, 1, 1, 1, 1}
		p.ints[stepgraph.InputExampleRows], p.ints[stepgraph.InputTarget] = []int32{5}, []int32{0}
		for i := range 4 {
			p.params["E"][i] *= 0x1p40
			p.params["E"][4+i] = 0
		}
	}
	steps := []int{1, 1, 1, 1, 1, 1}
	plain := build(t, stepgraph.Config{Training: true, Seed: 3}, 1, closed.step)
	p := newProblem(plain, steps, 7)
	last(p)
	want := oracle(t, plain, p).Grads["V"].Data[0]
	off := func(scale int) float64 { // relative error of the gradient of the first weight of V; the gradient of E comes before it
		return math.Abs(float64(gradients(closed, steps, 7, scale, last)[4*vocabulary])/want - 1)
	}
	// Without a scale, only a few of the 24 bits of the gradient are right. With the
	// scale, the error is that of a few roundings.
	if e := off(0); e < 0x1p-12 {
		t.Errorf("without a scale the gradient is off by %v: the example does not show the loss of digits", e)
	}
	if e := off(64); e > 0x1p-20 {
		t.Errorf("scaled by 2^64 the gradient is off by %v of itself, want at most 2^-20", e)
	}
}
