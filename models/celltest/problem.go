package celltest

import (
	"math/rand/v2"
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// A Problem is a batch of strings of unequal length with values for everything that a
// network reads.
type Problem struct {
	Batch
	coord  []float64
	Params map[string]stepgraph.Mat // float32 values
	size   map[string]float64       // magnitude of each gradient, see oracle
}

// NewProblem returns five strings for a graph that reads the given number of symbols and
// predicts the given number of classes.
func NewProblem(g *stepgraph.Graph, symbols, classes int, seed uint64) *Problem {
	random := rand.New(rand.NewPCG(11, seed))
	p := &Problem{Params: Draw(random, g, 0.7), size: map[string]float64{}}
	for _, m := range p.Params { // the order does not matter
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
	p.Batch = Pack(strings, func(s []int) (list []Prediction) {
		for at := range s {
			if at == len(s)-1 || random.IntN(3) > 0 { // some rows have no prediction
				list = append(list, Prediction{at, random.IntN(classes)})
			}
		}
		return list
	})
	for t, n := range p.Active {
		for b := range n {
			p.coord = append(p.coord, float64(100+b), float64(t), 9)
		}
	}
	return p
}

// scan runs the batch on the device twice, so that the second run shows any state left
// by the first.
func (p *Problem) scan(t testing.TB, g *stepgraph.Graph, device kernel.Device) *scan.VM {
	t.Helper()
	vm := p.compile(t, g, device, 0)
	for range 2 {
		p.run(t, vm)
	}
	return vm
}

// compile differentiates and compiles the graph and sets the parameters.
func (p *Problem) compile(t testing.TB, g *stepgraph.Graph, device kernel.Device, moments int) *scan.VM {
	t.Helper()
	if err := g.Differentiate(); err != nil {
		t.Fatal(err)
	}
	vm, err := scan.Compile(g, device, scan.Options{
		MaxStrings: p.Active[0], MaxRows: len(p.Token), MaxSteps: len(p.Active), MaxExamples: len(p.Pick), MergeWidth: 1, Moments: moments,
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range p.Params { // the order does not matter
		if err := vm.SetParam(name, float32s(m.Data)); err != nil {
			t.Fatal(err)
		}
	}
	return vm
}

// run runs the batch once, forward and backward.
func (p *Problem) run(t testing.TB, vm *scan.VM) {
	t.Helper()
	if err := vm.Begin(p.Active, len(p.Pick)); err != nil {
		t.Fatal(err)
	}
	p.Set(t, vm)
	if err := vm.RunAll(); err != nil {
		t.Fatal(err)
	}
}

// Set sets those inputs that the graph has. The coordinates, from which random numbers
// are drawn, are an input only of a graph with dropout.
func (p *Problem) Set(t testing.TB, vm *scan.VM) {
	t.Helper()
	for _, in := range []struct {
		name string
		x    []float64
	}{{stepgraph.InputToken, p.Token}, {stepgraph.InputExampleRows, p.Pick}, {stepgraph.InputTarget, p.Target}, {stepgraph.InputCoord, p.coord}} {
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
	}{{models.InputInverseTemperature, []float64{InverseTemperature}}, {stepgraph.InputWeight, p.Weight}, {stepgraph.InputLabel, p.Label}, {stepgraph.InputLabelWeight, p.Label}} {
		if vm.Graph().Input(in.name) == nil {
			continue
		}
		if err := vm.SetFloats(in.name, float32s(in.x)); err != nil {
			t.Fatal(err)
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
