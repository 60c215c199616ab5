package scan

import (
	"fmt"
	"slices"
	"testing"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
)

// noiselessRNN is gatedRNN without noise and dropout.
func noiselessRNN(b *stepgraph.Builder, x *node) *node {
	const h = 5
	hid := b.State(stepgraph.StateSpec{Name: "h", Width: h})
	z := b.Sigmoid(b.Add(b.MatMul(x, b.Param(param("W_z", 4, h))), b.MatMul(hid, b.Param(param("U_z", h, h)))))
	tied := b.MatMul(b.Param(param("A", h, 2)), b.Param(param("C", 2, h)))
	cand := b.Add(b.MatMul(x, b.Param(param("W_c", 4, h))), b.MatMul(hid, b.Param(param("U_c", h, h))))
	cand = b.Tanh(b.MulOne(b.Add(cand, b.MatMul(hid, tied)), b.Scalar("temperature")))
	next := b.Add(b.Mul(b.OneMinus(z), cand), b.Mul(z, hid))
	b.SetNext(hid, next)
	return next
}

// TestEvaluationHasNoNoise checks that the evaluation variant has no dropout and
// no noise, and that a graph that has not been differentiated has no gradients.
func TestEvaluationHasNoNoise(t *testing.T) {
	g := build(t, stepgraph.Config{Seed: 3}, 5, gatedRNN)
	if g.Input(stepgraph.InputCoord) != nil {
		t.Error("the evaluation variant has a coordinate input")
	}
	p := newProblem(g, ragged, 5)
	vm := compiled(t, g, device(t, testISA(), 1), bounds(p, 0))
	got := outcome(t, vm, p)
	want := outcome(t, compiled(t, build(t, stepgraph.Config{Training: true}, 5, noiselessRNN), device(t, testISA(), 1), bounds(p, 0)), p)
	if !slices.Equal(got, want) {
		t.Error("evaluation differs from a cell without dropout and noise")
	}
	if _, err := vm.Grad("A"); err == nil {
		t.Error("Grad of a graph without gradients returns no error")
	}
	noisy := outcome(t, compiled(t, training(t, testCells[1]), device(t, testISA(), 1), bounds(p, 0)), p)
	if slices.Equal(noisy[:p.examples], want[:p.examples]) {
		t.Error("training has no dropout and no noise")
	}
}

// TestNoiseDependsOnCoordinates checks that dropout and noise depend on the number of the
// update, one of the coordinates of each row. Another number must give other draws, and
// the same number the same draws again.
func TestNoiseDependsOnCoordinates(t *testing.T) {
	g := training(t, testCells[1])
	p := newProblem(g, []int{2, 2, 2}, 5)
	vm := compiled(t, g, device(t, testISA(), 1), bounds(p, 0))
	want := outcome(t, vm, p)
	coord := p.ints[stepgraph.InputCoord]
	for i := 2; i < len(coord); i += 3 {
		coord[i]++
	}
	if slices.Equal(outcome(t, vm, p), want) {
		t.Error("another update has the same dropout and noise")
	}
	for i := 2; i < len(coord); i += 3 {
		coord[i]--
	}
	if !slices.Equal(outcome(t, vm, p), want) {
		t.Error("the same update has other dropout or noise")
	}
}

// TestScalarNeedsNoCompiling checks that a changed run-time scalar takes effect in
// the next run, as if it had always had that value.
func TestScalarNeedsNoCompiling(t *testing.T) {
	g := training(t, testCells[1])
	p := newProblem(g, ragged, 5)
	dev := device(t, testISA(), 1)
	vm := compiled(t, g, dev, bounds(p, 0))
	var before []uint32
	for _, x := range []float32{0.7, 1.9, 0.7, 0} {
		p.scalar = x
		got := outcome(t, vm, p)
		if slices.Equal(got, before) {
			t.Errorf("the scalar %v changes nothing", x)
		}
		if want := outcome(t, compiled(t, g, dev, bounds(p, 0)), p); !slices.Equal(got, want) {
			t.Errorf("the scalar %v gives other results in a VM that had another value before", x)
		}
		before = got
	}
}

// TestParametersNeedNoCompiling checks that changed parameters take effect in the
// next run: values computed from parameters alone, including merged weights, are
// computed again.
func TestParametersNeedNoCompiling(t *testing.T) {
	for _, c := range allCells {
		g := training(t, c)
		p, other := newProblem(g, ragged, 5), newProblem(g, ragged, 6)
		dev := device(t, testISA(), 1)
		vm := compiled(t, g, dev, bounds(p, 0))
		outcome(t, vm, p)
		other.ints, other.examples = p.ints, p.examples
		if !slices.Equal(outcome(t, vm, other), outcome(t, compiled(t, g, dev, bounds(p, 0)), other)) {
			t.Errorf("%s: old parameters still have an effect", c.name)
		}
		for name, want := range other.params { // each is checked separately
			if got, err := vm.Param(name); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: parameter %s is read as %v, %v, want %v", c.name, name, got, err, want)
			}
		}
	}
}

// TestOutputsOfSteps checks that an output computed at each step has one row for each
// active string of each step. The outputs are a value of the loop, a hoisted value, and
// states before and after their step.
func TestOutputsOfSteps(t *testing.T) {
	outputs := []string{"early", "before", "after", "late", "mixed"}
	g, err := stepgraph.Build(stepgraph.Config{}, func(b *stepgraph.Builder) {
		x := b.Gather(b.Param(param("E", vocabulary, 4)), b.Token())
		hid := b.State(stepgraph.StateSpec{Name: "h", Width: 4, Init: 0.5})
		late := b.State(stepgraph.StateSpec{Name: "late", Width: 4, Init: -0.25})
		next := b.Tanh(b.Add(b.MatMul(hid, b.Param(param("U", 4, 4))), x))
		b.SetNext(hid, next)
		b.SetNext(late, x)
		unread := b.State(stepgraph.StateSpec{Name: "unread", Width: 4, Init: 0.5})
		b.SetNext(unread, next)
		b.SetOutput("unread", unread) // the state before the step, which no step reads
		for i, v := range []*node{x, hid, next, late, b.Mul(x, next)} {
			b.SetOutput(outputs[i], v)
			b.SetOutput("picked-"+outputs[i], b.Scale(b.ExampleRows(v), 1))
		}
		b.SetOutput("static", b.Tanh(b.Param(param("S", 2, 3))))
	})
	if err != nil {
		t.Fatal(err)
	}
	p := newProblem(g, ragged, 5)
	vm := compiled(t, g, device(t, testISA(), 1), bounds(p, 0))
	if err := vm.Begin(p.active, p.examples); err != nil {
		t.Fatal(err)
	}
	delete(p.ints, stepgraph.InputTarget)
	p.load(t, vm)
	vm.Forward()
	for _, name := range outputs {
		all, some := make([]float32, vm.Rows()*4), make([]float32, p.examples*4)
		if err := vm.Output(name, all); err != nil {
			t.Fatal(err)
		}
		if err := vm.Output("picked-"+name, some); err != nil {
			t.Fatal(err)
		}
		for i, row := range p.ints[stepgraph.InputExampleRows] {
			if got, want := all[4*row:4*row+4], some[4*i:4*i+4]; !slices.Equal(got, want) {
				t.Errorf("%s: row %d is %v, want %v as picked", name, row, got, want)
			}
		}
	}
	before, unread := make([]float32, vm.Rows()*4), make([]float32, vm.Rows()*4)
	if vm.Output("before", before) != nil || vm.Output("unread", unread) != nil || !slices.Equal(before, unread) {
		t.Errorf("a state that no step reads is %v, want %v", unread, before)
	}
	if first := make([]float32, vm.Rows()*4); vm.Output("before", first) != nil || first[0] != 0.5 {
		t.Errorf("the state before the first step is %v, want 0.5", first[0])
	}
	if x := make([]float32, 6); vm.Output("static", x) != nil || x[0] == 0 {
		t.Errorf("an output of parameters alone is %v", x)
	}
}

// TestUpdatesDoNotAllocate checks that an update allocates nothing after the first
// batch of its size.
func TestUpdatesDoNotAllocate(t *testing.T) {
	for _, c := range append([]testCell{{"widelstm", 40, wideLSTM}}, allCells...) {
		for _, isa := range []cpu.ISA{cpu.Generic, cpu.Best()} {
			for _, threads := range []int{1, 2} {
				t.Run(fmt.Sprintf("%s/%v/threads=%d", c.name, isa, threads), func(t *testing.T) {
					g := training(t, c)
					p := newProblem(g, []int{4, 4, 4, 4, 4}, 5)
					vm := compiled(t, g, device(t, isa, threads), bounds(p, 0))
					names := []string{stepgraph.InputToken, stepgraph.InputExampleRows, stepgraph.InputTarget, stepgraph.InputCoord}
					names = slices.DeleteFunc(names, func(name string) bool { return g.Input(name) == nil })
					scalar := []float32{0.7}
					loss := make([]float32, p.examples)
					p.load(t, begin(t, vm, p))
					step := func() {
						if vm.Begin(p.active, p.examples) != nil {
							panic("refused")
						}
						for chunk := range 2 {
							if chunk > 0 && vm.Continue(p.active, p.examples) != nil {
								panic("refused")
							}
							for _, name := range names {
								if vm.SetInts(name, p.ints[name]) != nil {
									panic("refused")
								}
							}
							if g.Input("temperature") != nil && vm.SetFloats("temperature", scalar) != nil {
								panic("refused")
							}
							vm.Forward()
							vm.Losses(loss)
							vm.Backward()
						}
					}
					if n := testing.AllocsPerRun(5, step); n != 0 {
						t.Errorf("%v allocations per update, want 0", n)
					}
				})
			}
		}
	}
}

func begin(t *testing.T, vm *VM, p *problem) *VM {
	t.Helper()
	if err := vm.Begin(p.active, p.examples); err != nil {
		t.Fatal(err)
	}
	return vm
}
