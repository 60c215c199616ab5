package celltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
)

// Gradient compares the gradient with respect to every trained parameter and every initial
// state of a graph with central differences, in float64, on strings of unequal length. The
// graph reads the given number of symbols and predicts the given number of classes.
func Gradient(t testing.TB, g *stepgraph.Graph, symbols, classes int, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, seed))
	token := func() int { return random.IntN(symbols) }
	strings := [][]int{{token(), token(), token(), token()}, {token(), token(), token()}, {token(), token()}}
	b := Pack(strings, func(s []int) (list []Prediction) {
		for at := range s {
			list = append(list, Prediction{at, random.IntN(classes)})
		}
		return list[len(list)/2:] // some rows have no prediction
	})
	o, err := stepgraph.Unroll(g, b.Active, len(b.Pick), tensor.Float64)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Differentiate(); err != nil {
		t.Fatal(err)
	}
	weight := make([]float64, len(b.Pick))
	for i := range weight {
		weight[i] = random.NormFloat64()
	}
	v := stepgraph.Values{Params: Draw(random, g, 0.7), Initial: map[string]stepgraph.Mat{}, Inputs: b.Inputs()}
	v.Inputs[stepgraph.InputSeed] = Column(weight)
	for _, s := range g.States {
		m := stepgraph.NewMat(b.Active[0], s.Width)
		if s.Stacks > 0 {
			m = stepgraph.NewMat(s.Width, b.Active[0]*s.Stacks)
		}
		for i := range m.Data {
			m.Data[i] = random.NormFloat64()
		}
		v.Initial[s.Name] = m
	}
	result, err := o.Run(v)
	if err != nil {
		t.Fatal(err)
	}
	forward, err := stepgraph.Unroll(g, b.Active, len(b.Pick), tensor.Float64)
	if err != nil {
		t.Fatal(err)
	}
	delete(v.Inputs, stepgraph.InputSeed)
	loss := func() float64 {
		r, err := forward.Run(v)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, x := range r.Loss.Data {
			sum += weight[i] * x
		}
		return sum
	}
	for _, p := range g.Params {
		if !p.Frozen {
			compare(t, "parameter "+p.Name, v.Params[p.Name], result.Grads[p.Name], loss)
		} else if _, ok := result.Grads[p.Name]; ok {
			t.Errorf("parameter %s is frozen and has a gradient, want none", p.Name)
		}
	}
	for _, s := range g.States {
		if !s.NoGrad {
			compare(t, "initial state "+s.Name, v.Initial[s.Name], result.Initial[s.Name], loss)
		}
	}
}

// compare compares the gradient with respect to x with fourth-order central differences of
// loss. It checks about ten elements, spread evenly; with -short it checks at most every
// ninth element.
//
// The differences use d = 1e-4. Their truncation error is d^4/30 = 3e-18 times the fifth
// derivative, which can reach 1e6. Their rounding error is 1e-16/d = 1e-12 times the loss,
// which is of order 10.
func compare(t testing.TB, name string, x, gradient stepgraph.Mat, loss func() float64) {
	t.Helper()
	if len(gradient.Data) != len(x.Data) {
		t.Errorf("%s [%dx%d]: the gradient has %d elements, want %d", name, x.Rows, x.Cols, len(gradient.Data), len(x.Data))
		return
	}
	if !slices.ContainsFunc(gradient.Data, func(g float64) bool { return g != 0 }) {
		t.Errorf("%s [%dx%d]: every element of the gradient is 0, want some influence on the loss", name, x.Rows, x.Cols)
	}
	step := len(x.Data)/10 | 1
	if testing.Short() {
		step = max(step, 9)
	}
	for i, old := range x.Data {
		if i%step != 0 {
			continue
		}
		at := func(d float64) float64 {
			x.Data[i] = old + d
			defer func() { x.Data[i] = old }()
			return loss()
		}
		const d = 1e-4
		have, want := gradient.Data[i], (8*(at(d)-at(-d))-(at(2*d)-at(-2*d)))/(12*d)
		if !(math.Abs(want-have) <= 1e-9*(1+math.Abs(want))) {
			t.Errorf("%s [%dx%d]: gradient with respect to the element in row %d, column %d: have %v, want %v by central differences", name, x.Rows, x.Cols, i/x.Cols, i%x.Cols, have, want)
		}
	}
}
