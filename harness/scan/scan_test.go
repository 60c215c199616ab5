package scan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
)

// problem is a batch for a graph, with values for all parameters and inputs.
type problem struct {
	active   []int
	examples int
	params   map[string][]float32
	ints     map[string][]int32
	scalar   float32
}

func newProblem(g *stepgraph.Graph, active []int, seed uint64) *problem {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &problem{active: active, params: map[string][]float32{}, ints: map[string][]int32{}, scalar: 0.7}
	for _, q := range g.Params {
		x := make([]float32, q.Rows*q.Cols)
		for i := range x {
			x[i] = float32(q.Init.A + (q.Init.B-q.Init.A)*r.Float64())
		}
		p.params[q.Name] = x
	}
	rows := 0
	for t, n := range active {
		for b := range n {
			p.ints[stepgraph.InputToken] = append(p.ints[stepgraph.InputToken], int32(r.IntN(vocabulary)))
			p.ints[stepgraph.InputCoord] = append(p.ints[stepgraph.InputCoord], int32(100+b), int32(t), 9)
			if r.IntN(3) > 0 || t == len(active)-1 {
				p.ints[stepgraph.InputExampleRows] = append(p.ints[stepgraph.InputExampleRows], int32(rows+b))
				p.ints[stepgraph.InputTarget] = append(p.ints[stepgraph.InputTarget], int32(r.IntN(classes)))
				p.examples++
			}
		}
		rows += n
	}
	return p
}

func (p *problem) load(t *testing.T, vm *VM) {
	t.Helper()
	for name, x := range p.params { // the order does not matter
		if err := vm.SetParam(name, x); err != nil {
			t.Fatal(err)
		}
	}
	for name, x := range p.ints {
		if vm.Graph().Input(name) == nil {
			continue
		}
		if err := vm.SetInts(name, x); err != nil {
			t.Fatal(err)
		}
	}
	if vm.Graph().Input("temperature") != nil {
		if err := vm.SetFloats("temperature", []float32{p.scalar}); err != nil {
			t.Fatal(err)
		}
	}
}

func (p *problem) values() stepgraph.Values {
	v := stepgraph.Values{Params: map[string]stepgraph.Mat{}, Inputs: map[string]stepgraph.Mat{}}
	for name, x := range p.params {
		v.Params[name] = mat(x, 1)
	}
	for name, x := range p.ints {
		width := 1
		if name == stepgraph.InputCoord {
			width = 3
		}
		m := stepgraph.NewMat(len(x)/width, width)
		for i, y := range x {
			m.Data[i] = float64(y)
		}
		v.Inputs[name] = m
	}
	v.Inputs["temperature"] = stepgraph.Mat{Rows: 1, Cols: 1, Data: []float64{float64(p.scalar)}}
	seed := stepgraph.NewMat(p.examples, 1)
	for i := range seed.Data {
		seed.Data[i] = float64(float32(1 / float64(p.examples)))
	}
	v.Inputs[stepgraph.InputSeed] = seed
	return v
}

func mat(x []float32, cols int) stepgraph.Mat {
	m := stepgraph.NewMat(len(x)/cols, cols)
	for i, y := range x {
		m.Data[i] = float64(y)
	}
	return m
}

func oracle(t *testing.T, g *stepgraph.Graph, p *problem) *stepgraph.Result {
	t.Helper()
	o, err := stepgraph.Unroll(g, p.active, p.examples, tensor.Float64)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Differentiate(); err != nil {
		t.Fatal(err)
	}
	v := p.values()
	for _, q := range g.Params {
		m := v.Params[q.Name]
		v.Params[q.Name] = stepgraph.Mat{Rows: q.Rows, Cols: q.Cols, Data: m.Data}
	}
	res, err := o.Run(v)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// device returns a device whose threads divide whatever they can.
func device(t *testing.T, isa cpu.ISA, threads int) *cpu.Device {
	t.Helper()
	d, err := cpu.New(cpu.Options{ISA: isa, Threads: threads, Eager: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func bounds(p *problem, moments int) Options {
	rows := 0
	for _, n := range p.active {
		rows += n
	}
	return Options{MaxStrings: p.active[0], MaxRows: rows, MaxSteps: len(p.active), MaxExamples: p.examples, Moments: moments, MergeWidth: 1}
}

var ragged = []int{5, 5, 4, 4, 4, 3, 1, 1}

// TestAgainstOracle compares losses, outputs and gradients of the scan with the
// unrolled graph in float64 on Gorgonia's TapeMachine.
func TestAgainstOracle(t *testing.T) {
	againstOracle(t, testCells)
}

func againstOracle(t *testing.T, cells []testCell) {
	for _, c := range cells {
		for _, active := range [][]int{{1}, {2}, {1, 1}, {2, 2, 2}, ragged} {
			t.Run(fmt.Sprintf("%s/%v", c.name, active), func(t *testing.T) {
				cfg := stepgraph.Config{Training: true, Seed: 3}
				plain := build(t, cfg, c.width, c.step)
				p := newProblem(plain, active, 5)
				want := oracle(t, plain, p)
				g := build(t, cfg, c.width, c.step)
				if err := g.Differentiate(); err != nil {
					t.Fatal(err)
				}
				vm := compiled(t, g, device(t, testISA(), 1), bounds(p, 0))
				if err := vm.Begin(active, p.examples); err != nil {
					t.Fatal(err)
				}
				p.load(t, vm)
				if err := vm.RunAll(); err != nil {
					t.Fatal(err)
				}
				loss := make([]float32, p.examples)
				vm.Losses(loss)
				compare(t, "loss", loss, want.Loss)
				prob := make([]float32, p.examples*classes)
				if err := vm.Output("prob", prob); err != nil {
					t.Fatal(err)
				}
				compare(t, "prob", prob, want.Outputs["prob"])
				for _, q := range g.Params {
					got, err := vm.Grad(q.Name)
					if err != nil {
						t.Fatal(err)
					}
					grad, ok := want.Grads[q.Name]
					if !ok { // no path from the parameter to the loss in so few steps
						grad = stepgraph.NewMat(q.Rows, q.Cols)
					}
					compare(t, q.Name, got, grad)
				}
			})
		}
	}
}

// compare checks that a result (the parameter got) equals the expected one (the parameter
// want) up to rounding errors. The tolerance is 2^-16 times the largest absolute value that
// is expected.
func compare(t *testing.T, what string, got []float32, want stepgraph.Mat) {
	t.Helper()
	if len(got) != len(want.Data) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want.Data))
	}
	largest := 0.0
	for _, w := range want.Data {
		largest = math.Max(largest, math.Abs(w))
	}
	for i, w := range want.Data {
		if d := math.Abs(float64(got[i]) - w); !(d <= 256*0x1p-24*largest) {
			t.Errorf("%s[%d] = %v, want %v", what, i, got[i], w)
		}
	}
}

func testISA() cpu.ISA {
	isa, err := cpu.ISAFromEnv()
	if err != nil {
		panic(err)
	}
	return isa
}
