package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// TestScan compares every model, as package scan runs it on the processor, with its
// unrolled graph in float64. It compares losses, probabilities and the gradients of
// all trained parameters, in evaluation and in training. The strings have unequal
// lengths, and there is dropout before the cell and before the read-out.
func TestScan(t *testing.T) {
	device := processor(t, cpu.Options{ISA: cpu.Best()})
	for _, n := range models.All() {
		if m, ok := n.Network.(*models.Model); ok {
			// Both rates are exact in float32, so dropout drops the same elements in
			// float32 and in float64.
			m.Embedding.Dropout, m.Readout.Dropout = 0.25, 0.5
		}
		for _, cfg := range configurations() {
			t.Run(fmt.Sprintf("%s/training=%v", n.Name, cfg.Training), func(t *testing.T) {
				build := func() *stepgraph.Graph { return buildFor(t, n, cfg) }
				_, symbols, classes := about(n)
				checkScan(t, device, build, newProblem(build(), symbols, classes, seed(n)))
			})
		}
	}
}

// configurations returns the configurations for scan tests: training and, without
// -short, evaluation.
func configurations() []stepgraph.Config {
	list := []stepgraph.Config{{Training: true, Seed: 3}, {}}
	if testing.Short() {
		return list[:1]
	}
	return list
}

// checkScan compares the scan of a graph with its unrolled graph.
func checkScan(t *testing.T, device kernel.Device, build func() *stepgraph.Graph, p *problem) {
	t.Helper()
	want := p.oracle(t, build())
	vm := p.scan(t, build(), device)
	defer vm.Close()

	loss := make([]float32, len(p.pick))
	vm.Losses(loss)
	within(t, "loss", loss, want.Loss, largest(want.Loss))
	for name, m := range want.Outputs { // the order does not matter
		x := make([]float32, len(m.Data))
		if err := vm.Output(name, x); err != nil {
			t.Fatal(err)
		}
		within(t, name, x, m, largest(m))
	}
	for _, q := range vm.Graph().Params {
		if q.Frozen {
			continue
		}
		x, err := vm.Grad(q.Name)
		if err != nil {
			t.Fatal(err)
		}
		within(t, "gradient of "+q.Name, x, want.Grads[q.Name], p.size[q.Name])
	}
}

// problem is a batch of strings of unequal length with values for everything that a
// model reads.
type problem struct {
	packed
	coord  []float64
	params map[string]stepgraph.Mat // float32 values
	size   map[string]float64       // magnitude of each gradient, see oracle
}

func newProblem(g *stepgraph.Graph, symbols, classes int, seed uint64) *problem {
	random := rand.New(rand.NewPCG(11, seed))
	p := &problem{params: draw(random, g, 0.7), size: map[string]float64{}}
	for _, m := range p.params { // the order does not matter
		for i, x := range m.Data {
			m.Data[i] = float64(float32(x))
		}
	}
	var strings [][]int
	for _, n := range []int{8, 5, 5, 3, 1} {
		s := make([]int, n)
		for i := range s {
			s[i] = random.IntN(symbols)
		}
		strings = append(strings, s)
	}
	p.packed = pack(strings, func(s []int) (list []prediction) {
		for at := range s {
			if at == len(s)-1 || random.IntN(3) > 0 { // some rows have no prediction
				list = append(list, prediction{at, random.IntN(classes)})
			}
		}
		return list
	})
	for t, n := range p.active {
		for b := range n {
			p.coord = append(p.coord, float64(100+b), float64(t), 9)
		}
	}
	return p
}

// oracle runs the unrolled graph in float64. It also sets p.size of each parameter, to
// which the rounding errors that the test allows are proportional. An element of the
// gradient is a sum with one term for each prediction. The size is the largest sum of the
// absolute values of these terms, over the elements of the parameter.
func (p *problem) oracle(t *testing.T, g *stepgraph.Graph) *stepgraph.Result {
	t.Helper()
	examples := len(p.pick)
	o, err := stepgraph.Unroll(g, p.active, examples, tensor.Float64)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Differentiate(); err != nil {
		t.Fatal(err)
	}
	v := stepgraph.Values{Params: p.params, Inputs: p.inputs()}
	v.Inputs[stepgraph.InputCoord] = stepgraph.Mat{Rows: len(p.coord) / 3, Cols: 3, Data: p.coord}
	run := func(weight func(e int) float64) *stepgraph.Result {
		seed := stepgraph.NewMat(examples, 1)
		for e := range seed.Data {
			seed.Data[e] = weight(e)
		}
		v.Inputs[stepgraph.InputSeed] = seed
		result, err := o.Run(v)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	terms := map[string]stepgraph.Mat{}
	for e := range examples {
		one := run(func(at int) float64 {
			if at == e {
				return 1 / float64(examples)
			}
			return 0
		})
		for name, m := range one.Grads { // the order does not matter
			if e == 0 {
				terms[name] = stepgraph.NewMat(m.Rows, m.Cols)
			}
			for i, x := range m.Data {
				terms[name].Data[i] += math.Abs(x)
			}
		}
	}
	for name, m := range terms { // the order does not matter
		if p.size[name] = largest(m); p.size[name] == 0 {
			t.Errorf("%s: the whole gradient is zero, which checks nothing", name)
		}
	}
	return run(func(int) float64 { return 1 / float64(examples) })
}

// scan runs the batch on the device twice, so that the second run shows any state left
// by the first.
func (p *problem) scan(t *testing.T, g *stepgraph.Graph, device kernel.Device) *scan.VM {
	t.Helper()
	vm := p.compile(t, g, device, 0)
	for range 2 {
		p.run(t, vm)
	}
	return vm
}

// compile differentiates and compiles the graph and sets the parameters.
func (p *problem) compile(t *testing.T, g *stepgraph.Graph, device kernel.Device, moments int) *scan.VM {
	t.Helper()
	if err := g.Differentiate(); err != nil {
		t.Fatal(err)
	}
	vm, err := scan.Compile(g, device, scan.Options{
		MaxStrings: p.active[0], MaxRows: len(p.token), MaxSteps: len(p.active), MaxExamples: len(p.pick), MergeWidth: 1, Moments: moments,
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range p.params { // the order does not matter
		if err := vm.SetParam(name, float32s(m.Data)); err != nil {
			t.Fatal(err)
		}
	}
	return vm
}

// run runs the batch once, forward and backward.
func (p *problem) run(t *testing.T, vm *scan.VM) {
	t.Helper()
	if err := vm.Begin(p.active, len(p.pick)); err != nil {
		t.Fatal(err)
	}
	p.set(t, vm)
	if err := vm.RunAll(); err != nil {
		t.Fatal(err)
	}
}

// set sets those inputs that the graph has. The coordinates, from which random numbers
// are drawn, are an input only of a graph with dropout.
func (p *problem) set(t *testing.T, vm *scan.VM) {
	t.Helper()
	for _, in := range []struct {
		name string
		x    []float64
	}{{stepgraph.InputToken, p.token}, {stepgraph.InputExampleRows, p.pick}, {stepgraph.InputTarget, p.targets}, {stepgraph.InputCoord, p.coord}} {
		if vm.Graph().Input(in.name) == nil {
			continue
		}
		x := make([]int32, len(in.x))
		for i, v := range in.x {
			x[i] = int32(v)
		}
		if err := vm.SetInts(in.name, x); err != nil {
			t.Fatal(err)
		}
	}
	for _, in := range []struct {
		name string
		x    []float64
	}{{models.InputInverseTemperature, []float64{inverseTemperature}}, {stepgraph.InputWeight, p.weight}, {stepgraph.InputLabel, p.label}, {stepgraph.InputLabelWeight, p.label}} {
		if vm.Graph().Input(in.name) == nil {
			continue
		}
		if err := vm.SetFloats(in.name, float32s(in.x)); err != nil {
			t.Fatal(err)
		}
	}
}

// within compares float32 results with float64 ones. A term of a result passes through
// at most 8 steps, forward and backward, of at most 16 operations each. Each operation
// has an error of a few units of 2^-24; the test allows 256 units in all, relative to
// the magnitude of the terms.
func within(t *testing.T, what string, got []float32, want stepgraph.Mat, size float64) {
	t.Helper()
	if len(got) != len(want.Data) {
		t.Errorf("%s: %d values, want %d", what, len(got), len(want.Data))
		return
	}
	for i, w := range want.Data {
		if d := math.Abs(float64(got[i]) - w); !(d <= 256*0x1p-24*size) {
			t.Errorf("%s: element %d is %v, want %v: off by %.3g units of 2^-24 of %v", what, i, got[i], w, d/size*0x1p24, size)
		}
	}
}

func float32s(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

func largest(m stepgraph.Mat) float64 {
	most := 0.0
	for _, x := range m.Data {
		most = max(most, math.Abs(x))
	}
	return most
}
