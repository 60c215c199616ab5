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

// named is a way to make a model, for subtests and golden files.
type named struct {
	name  string
	model func() (*models.Model, error)
}

// cases are all models at sizes that differ from each other.
func cases() []named {
	return []named{
		{"dyckrnn", func() (*models.Model, error) { return models.DyckRNN(3, 2) }},
		{"dyckrnn-1d", func() (*models.Model, error) { return models.DyckRNN1D(3, 2) }},
		{"dyckrnn-2d", func() (*models.Model, error) { return models.DyckRNN2D(3, 2) }},
		{"dyckrnn-2d-byone", func() (*models.Model, error) { return models.DyckRNN2DShiftByOne(3, 2) }},
		{"rnn-laststate", func() (*models.Model, error) { return models.LastState(models.RNN{Hidden: 3}, 2, 2) }},
		{"rnn-languagemodel", func() (*models.Model, error) { return models.LanguageModel(models.RNN{Hidden: 3}, 5, 2) }},
		{"lstm-laststate", func() (*models.Model, error) { return models.LastState(models.LSTM{Hidden: 2}, 2, 3) }},
		{"lstm-languagemodel", func() (*models.Model, error) { return models.LanguageModel(models.LSTM{Hidden: 2}, 5, 3) }},
		{"mmrnn-laststate", func() (*models.Model, error) { return models.LastState(models.MMRNN{Hidden: 3}, 2, 2) }},
		{"mmrnn-languagemodel", func() (*models.Model, error) { return models.LanguageModel(models.MMRNN{Hidden: 3}, 5, 2) }},
		{"mmlstm-languagemodel", func() (*models.Model, error) { return models.LanguageModel(models.MMLSTM{Hidden: 2}, 5, 3) }},
		{"stackrnn-languagemodel", func() (*models.Model, error) {
			return models.StackLanguageModel(models.StackRNN{Hidden: 3, Stacks: 2, Capacity: 5, Read: 2, Hold: 50}, 4)
		}},
		{"stackrnn-noop-languagemodel", func() (*models.Model, error) {
			return models.StackLanguageModel(models.StackRNN{Hidden: 4, Stacks: 2, Capacity: 3, Read: 1, Noop: true, Recurrent: true}, 3)
		}},
		{"listrnn-languagemodel", func() (*models.Model, error) {
			return models.ListLanguageModel(models.ListRNN{Hidden: 3, Lists: 2, Side: 2, Read: 2, Clip: 1e3, Hold: 50}, 4)
		}},
		{"listrnn-noop-languagemodel", func() (*models.Model, error) {
			return models.ListLanguageModel(models.ListRNN{Hidden: 4, Lists: 2, Side: 1, Read: 1, Noop: true}, 3)
		}},
		{"sigmarnn-languagemodel", func() (*models.Model, error) {
			return models.SigmaLanguageModel(models.SigmaRNN{Hidden: 3, Clip: 1e3}, 4)
		}},
		{"lstm-onehot", func() (*models.Model, error) { return models.OneHotLanguageModel(models.LSTM{Hidden: 2}, 3) }},
		{"layers-languagemodel", func() (*models.Model, error) {
			cells := []models.Layer{models.MMRNN{Hidden: 2}, models.RNN{Hidden: 3}, models.LSTM{Hidden: 2}}
			return models.LanguageModel(models.Layers{Cells: cells, Dropout: 0.5}, 5, 3)
		}},
		{"attention-lstm", func() (*models.Model, error) {
			return models.LanguageModel(models.AttentionLSTM{Hidden: 2, Cells: 3}, 5, 4)
		}},
		{"assignment-lstm", func() (*models.Model, error) {
			return models.LanguageModel(models.AssignmentLSTM{Hidden: 2, Cells: 3, Of: []int{0, 2, 1, 0, 2}}, 5, 4)
		}},
	}
}

// TestGradient holds the gradient by every trained parameter and by the initial
// state against central differences, in float64, on strings of unequal length.
func TestGradient(t *testing.T) {
	for i, c := range cases() {
		t.Run(c.name, func(t *testing.T) {
			model, err := c.model()
			checkGradient(t, build(t, model, err), model.Vocabulary, model.Readout.Classes, 20, uint64(i))
		})
	}
}

// checkGradient is the test of a graph that reads so many symbols and predicts so
// many classes, by up to about so many elements of a parameter.
func checkGradient(t *testing.T, g *stepgraph.Graph, symbols, classes, most int, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(7, seed))
	token := func() int { return random.IntN(symbols) }
	strings := [][]int{{token(), token(), token(), token()}, {token(), token(), token()}, {token(), token()}}
	b := pack(strings, func(s []int) (list []prediction) {
		for at := range s {
			list = append(list, prediction{at, random.IntN(classes)})
		}
		return list[len(list)/2:] // some rows are not predicted from
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
			compare(t, most, p.Name, v.Params[p.Name].Data, result.Grads[p.Name].Data, loss)
		} else if _, ok := result.Grads[p.Name]; ok {
			t.Errorf("frozen parameter %s has a gradient", p.Name)
		}
	}
	for _, s := range g.States {
		if s.NoGrad {
			continue
		}
		compare(t, most, fmt.Sprint("initial ", s.Name), v.Initial[s.Name].Data, result.Initial[s.Name].Data, loss)
	}
}

// compare holds the gradient by x against central differences of loss, of fourth
// order at d = 1e-4: truncation is d^4/30 = 3e-18 times a fifth derivative (up to
// 1e6 through four steps), rounding 1e-16/d = 1e-12 times losses of order 10.
// Of more elements than most it looks at so many spread evenly; with -short at every
// ninth at most.
func compare(t *testing.T, most int, name string, x, gradient []float64, loss func() float64) {
	t.Helper()
	if len(gradient) != len(x) {
		t.Errorf("%s: gradient has %d elements, want %d", name, len(gradient), len(x))
		return
	}
	if !slices.ContainsFunc(gradient, func(g float64) bool { return g != 0 }) {
		t.Errorf("%s: the whole gradient is zero, which checks nothing", name)
	}
	step := len(x)/most | 1
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
