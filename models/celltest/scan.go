package celltest

import (
	"math"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
)

// Scan compares a graph, as package scan runs it on the device, with its unrolled graph in
// float64: losses, outputs and the gradients of all trained parameters. The strings have
// unequal lengths. The function build returns the same graph at each call.
func Scan(t testing.TB, device kernel.Device, build func() *stepgraph.Graph, p *Problem) {
	t.Helper()
	want := p.oracle(t, build())
	vm := p.scan(t, build(), device)
	defer vm.Close()

	loss := make([]float32, len(p.Pick))
	vm.Losses(loss)
	within(t, "loss", loss, want.Loss, largest(want.Loss))
	for name, m := range want.Outputs { // the order does not matter
		x := make([]float32, len(m.Data))
		if err := vm.Output(name, x); err != nil {
			t.Fatal(err)
		}
		within(t, "output "+name, x, m, largest(m))
	}
	for _, q := range vm.Graph().Params {
		if q.Frozen {
			continue
		}
		x, err := vm.Grad(q.Name)
		if err != nil {
			t.Fatal(err)
		}
		within(t, "gradient of parameter "+q.Name, x, want.Grads[q.Name], p.size[q.Name])
	}
}

// oracle runs the unrolled graph in float64. It also sets p.size of each parameter, to
// which the rounding errors that the test allows are proportional. An element of the
// gradient is a sum with one term for each prediction. The size is the largest sum of the
// absolute values of these terms, over the elements of the parameter.
func (p *Problem) oracle(t testing.TB, g *stepgraph.Graph) *stepgraph.Result {
	t.Helper()
	examples := len(p.Pick)
	o, err := stepgraph.Unroll(g, p.Active, examples, tensor.Float64)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Differentiate(); err != nil {
		t.Fatal(err)
	}
	v := stepgraph.Values{Params: p.Params, Inputs: p.Inputs()}
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
			t.Errorf("parameter %s: every element of the gradient is 0, want some influence on the loss", name)
		}
	}
	return run(func(int) float64 { return 1 / float64(examples) })
}

// within compares float32 results with float64 ones. A term of a result passes through
// at most 8 steps, forward and backward, of at most 16 operations each. Each operation
// has an error of a few units of 2^-24; the test allows 256 units in all, relative to
// the magnitude of the terms.
func within(t testing.TB, what string, got []float32, want stepgraph.Mat, size float64) {
	t.Helper()
	if len(got) != len(want.Data) {
		t.Errorf("%s: the planned run has %d values, want %d", what, len(got), len(want.Data))
		return
	}
	for i, w := range want.Data {
		if d := math.Abs(float64(got[i]) - w); !(d <= 256*0x1p-24*size) {
			t.Errorf("%s [%dx%d]: the planned run has %v in row %d, column %d, want %v as in float64: off by %.3g units of 2^-24 of %v", what, want.Rows, want.Cols, got[i], i/want.Cols, i%want.Cols, w, d/size*0x1p24, size)
		}
	}
}

func largest(m stepgraph.Mat) float64 {
	most := 0.0
	for _, x := range m.Data {
		most = max(most, math.Abs(x))
	}
	return most
}
