package stepgraph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gorgonia.org/tensor"
)

// TestOracleContinuesFromGivenStates checks that a batch run in two halves of its steps
// gives the same losses and final states as the whole batch. The second half starts
// from the final states of the first.
func TestOracleContinuesFromGivenStates(t *testing.T) {
	for i, c := range oracleCells {
		g := oracleGraph(t, i)
		steps := []int{2, 2, 2, 2}
		v, n := oracleValues(g, steps)
		whole, err := unrolled(t, g, steps, n, tensor.Float64).Run(v)
		if err != nil {
			t.Fatal(err)
		}
		half := func(from int, initial map[string]Mat) *Result {
			w := Values{Params: v.Params, Initial: initial, Inputs: map[string]Mat{"t": v.Inputs["t"]}}
			for name, m := range v.Inputs { // each input sets its own entry
				if name != "t" && name != InputExampleRows {
					w.Inputs[name] = Mat{4, m.Cols, m.Data[from*m.Cols : (from+4)*m.Cols]}
				}
			}
			w.Inputs[InputExampleRows] = Mat{4, 1, v.Inputs[InputExampleRows].Data[:4]}
			res, err := unrolled(t, g, steps[:2], 4, tensor.Float64).Run(w)
			if err != nil {
				t.Fatal(err)
			}
			return res
		}
		first := half(0, nil)
		second := half(4, first.Final)
		if diff := cmp.Diff(whole.Loss.Data, slices.Concat(first.Loss.Data, second.Loss.Data)); diff != "" {
			t.Errorf("%s: losses (-whole +halves):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(whole.Final, second.Final); diff != "" {
			t.Errorf("%s: final states (-whole +halves):\n%s", c.name, diff)
		}
	}
}

// TestGradientOfInitialStates compares the gradient with respect to the initial
// states with central differences.
func TestGradientOfInitialStates(t *testing.T) {
	for i, c := range oracleCells {
		g := oracleGraph(t, i)
		v, n := oracleValues(g, raggedSteps)
		o := unrolled(t, g, raggedSteps, n, tensor.Float64)
		v.Initial = map[string]Mat{}
		r := rand.New(rand.NewPCG(8, 8))
		for j, s := range g.States {
			shape := o.initial[j].Shape()
			m := NewMat(shape[0], shape[1])
			for k := range m.Data {
				m.Data[k] = s.Init + 0.3*r.NormFloat64()
			}
			v.Initial[s.Name] = m
		}
		res, err := o.Run(v)
		if err != nil {
			t.Fatal(err)
		}
		loss := func() float64 {
			res, err := o.Run(v)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for k, x := range res.Loss.Data {
				sum += x * v.Inputs[InputSeed].Data[k]
			}
			return sum
		}
		for _, s := range g.States {
			if s.NoGrad {
				if _, ok := res.Initial[s.Name]; ok {
					t.Errorf("%s: counter %s has a gradient", c.name, s.Name)
				}
				continue
			}
			data := v.Initial[s.Name].Data
			for _, k := range []int{0, len(data) / 2, len(data) - 1} {
				const eps = 1e-5
				old := data[k]
				data[k] = old + eps
				above := loss()
				data[k] = old - eps
				below := loss()
				data[k] = old
				want := (above - below) / (2 * eps)
				// The tolerance is ten times that of TestGradient, because this is the
				// gradient of a sum of 15 losses.
				if got := res.Initial[s.Name].Data[k]; math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
					t.Errorf("%s: gradient of the first %s[%d] is %v, central difference %v", c.name, s.Name, k, got, want)
				}
			}
		}
	}
}
