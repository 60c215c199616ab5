package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// TestGradient compares the gradient with respect to every trained parameter and
// every initial state with central differences, in float64, on strings of unequal
// length.
func TestGradient(t *testing.T) {
	for _, n := range models.All() {
		t.Run(n.Name, func(t *testing.T) {
			_, symbols, classes := about(n)
			checkGradient(t, build(t, n, nil), symbols, classes, seed(n))
		})
	}
}

// checkGradient checks the gradient of a graph that reads the given number of symbols
// and predicts the given number of classes.
func checkGradient(t *testing.T, g *stepgraph.Graph, symbols, classes int, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, seed))
	token := func() int { return random.IntN(symbols) }
	strings := [][]int{{token(), token(), token(), token()}, {token(), token(), token()}, {token(), token()}}
	b := pack(strings, func(s []int) (list []prediction) {
		for at := range s {
			list = append(list, prediction{at, random.IntN(classes)})
		}
		return list[len(list)/2:] // some rows have no prediction
	})
	o, err := stepgraph.Unroll(g, b.active, len(b.pick), tensor.Float64)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Differentiate(); err != nil {
		t.Fatal(err)
	}
	weight := make([]float64, len(b.pick))
	for i := range weight {
		weight[i] = random.NormFloat64()
	}
	v := stepgraph.Values{Params: draw(random, g, 0.7), Initial: map[string]stepgraph.Mat{}, Inputs: b.inputs()}
	v.Inputs[stepgraph.InputSeed] = column(weight)
	for _, s := range g.States {
		m := stepgraph.NewMat(b.active[0], s.Width)
		if s.Stacks > 0 {
			m = stepgraph.NewMat(s.Width, b.active[0]*s.Stacks)
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
	forward, err := stepgraph.Unroll(g, b.active, len(b.pick), tensor.Float64)
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
			compare(t, p.Name, v.Params[p.Name].Data, result.Grads[p.Name].Data, loss)
		} else if _, ok := result.Grads[p.Name]; ok {
			t.Errorf("frozen parameter %s has a gradient", p.Name)
		}
	}
	for _, s := range g.States {
		if s.NoGrad {
			continue
		}
		compare(t, fmt.Sprint("initial ", s.Name), v.Initial[s.Name].Data, result.Initial[s.Name].Data, loss)
	}
}

// compare compares the gradient with respect to x with fourth-order central differences of
// loss. It checks about ten elements, spread evenly; with -short it checks at most every
// ninth element.
//
// The differences use d = 1e-4. Their truncation error is d^4/30 = 3e-18 times the fifth
// derivative, which can reach 1e6. Their rounding error is 1e-16/d = 1e-12 times the loss,
// which is of order 10.
func compare(t *testing.T, name string, x, gradient []float64, loss func() float64) {
	t.Helper()
	if len(gradient) != len(x) {
		t.Errorf("%s: gradient has %d elements, want %d", name, len(gradient), len(x))
		return
	}
	if !slices.ContainsFunc(gradient, func(g float64) bool { return g != 0 }) {
		t.Errorf("%s: the whole gradient is zero, which checks nothing", name)
	}
	step := len(x)/10 | 1
	if testing.Short() {
		step = max(step, 9)
	}
	for i, old := range x {
		if i%step != 0 {
			continue
		}
		at := func(d float64) float64 {
			x[i] = old + d
			defer func() { x[i] = old }()
			return loss()
		}
		const d = 1e-4
		want := (8*(at(d)-at(-d)) - (at(2*d) - at(-2*d))) / (12 * d)
		if math.Abs(want-gradient[i]) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("%s: gradient by element %d is %v, central difference %v", name, i, gradient[i], want)
		}
	}
}
