package models_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// TestListEquation compares the List RNN, with each of its options, with a float64
// computation of its equations on plain Go slices.
func TestListEquation(t *testing.T) {
	const vocabulary = 3
	for _, c := range []models.ListRNN{
		{Hidden: 4, Lists: 2, Read: 2, Side: 3},
		{Hidden: 3, Lists: 3, Read: 1, Side: 1, Noop: true},
		{Hidden: 4, Lists: 1, Read: 3, Side: 2},
		{Hidden: 5, Lists: 2, Read: 2, Side: 4, Noop: true, Round: true},
		{Hidden: 4, Lists: 2, Read: 1, Side: 2, Round: true},
	} {
		t.Run(c.String(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(6, uint64(c.Hidden)))
			m, err := models.ListLanguageModel(c, vocabulary)
			g := build(t, m, err)
			params := draw(random, g, 2)
			s := []int{0, 2, 1, 1, 0, 2, 2, 0}
			b := pack([][]int{s}, func(s []int) (list []prediction) {
				for at := range s {
					list = append(list, prediction{At: at, Target: 0})
				}
				return list
			})
			got := run(t, g, b, tensor.Float64, params).Outputs[models.OutputLogits]
			for i, w := range listLogits(c, s, params) {
				if math.Abs(got.Data[i]-w) > 1e-9 {
					t.Fatalf("logit %d is %v, want %v", i, got.Data[i], w)
				}
			}
		})
	}
}

// listLogits evaluates the equations of ListRNN literally.
func listLogits(c models.ListRNN, symbols []int, params map[string]stepgraph.Mat) (logits []float64) {
	sigma := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	dot := func(x []float64, w stepgraph.Mat, col int) (y float64) {
		for i, v := range x {
			y += v * w.At(i, col)
		}
		return y
	}
	actions := 3
	if c.Noop {
		actions = 4
	}
	tapes := make([][]float64, c.Lists)
	for j := range tapes {
		for range 2*c.Side + 1 {
			tapes[j] = append(tapes[j], -1)
		}
	}
	for _, symbol := range symbols {
		var cells []float64
		for _, tape := range tapes {
			cells = append(cells, tape[c.Side-c.Read+1:c.Side+1]...)
		}
		h := make([]float64, c.Hidden)
		for i := range h {
			h[i] = sigma(params["E"].At(symbol, i) + dot(cells, params["P"], i))
		}
		for j, tape := range tapes {
			a, total, most := make([]float64, actions), 0.0, 0
			for i := range a {
				a[i] = math.Exp(dot(h, params["A"], j*actions+i))
				total += a[i]
				if a[i] > a[most] {
					most = i
				}
			}
			for i := range a {
				a[i] /= total
				if c.Round && i == most {
					a[i] = 1
				} else if c.Round {
					a[i] = 0
				}
			}
			at := func(i int) float64 {
				if i < 0 || i >= len(tape) {
					return -1
				}
				return tape[i]
			}
			next := make([]float64, len(tape))
			for i := range next {
				v := sigma(dot(h, params["D"], j))
				if i < c.Side {
					v = at(i + 1)
				} else if i > c.Side {
					v = at(i)
				}
				next[i] = a[0]*at(i-1) + a[1]*at(i+1) + a[2]*v
				if c.Noop {
					next[i] += a[3] * at(i)
				}
			}
			tapes[j] = next
		}
		for i := range params["W_o"].Cols {
			logits = append(logits, dot(h, params["W_o"], i))
		}
	}
	return logits
}

// TestSigmaEquation compares SigmaRNN, the network without stacks, with its
// equation.
func TestSigmaEquation(t *testing.T) {
	m, err := models.SigmaLanguageModel(models.SigmaRNN{Hidden: 4}, 3)
	g := build(t, m, err)
	params := draw(rand.New(rand.NewPCG(3, 3)), g, 2)
	symbols := []int{0, 2, 1, 1, 0}
	b := pack([][]int{symbols}, func(s []int) (list []prediction) {
		for at := range s {
			list = append(list, prediction{At: at, Target: 0})
		}
		return list
	})
	got := run(t, g, b, tensor.Float64, params).Outputs[models.OutputLogits]
	h := make([]float64, 4)
	for at, symbol := range symbols {
		next := make([]float64, 4)
		for i := range next {
			x := params["E"].At(symbol, i)
			for j, v := range h {
				x += v * params["R"].At(j, i)
			}
			next[i] = 1 / (1 + math.Exp(-x))
		}
		h = next
		for i := range 3 {
			want := 0.0
			for j, v := range h {
				want += v * params["W_o"].At(j, i)
			}
			if x := got.At(at, i); math.Abs(x-want) > 1e-9 {
				t.Fatalf("logit %d after symbol %d is %v, want %v", i, at, x, want)
			}
		}
	}
}

// TestCellsStayWithinOne checks that the cells of stacks and lists stay within [-1, 1] for
// any weights of the network. Each step makes a cell a weighted mean of earlier cells and
// the pushed value, because the weights of the actions add up to 1. The test allows
// rounding errors of 4 times 2^-24 for each step.
func TestCellsStayWithinOne(t *testing.T) {
	const steps = 60
	for _, c := range []struct {
		model func() (*models.Model, error)
		state string
	}{
		{func() (*models.Model, error) {
			return models.StackLanguageModel(models.StackRNN{Hidden: 5, Stacks: 3, Read: 2, Capacity: 8, Noop: true}, 3)
		}, "stack"},
		{func() (*models.Model, error) {
			return models.ListLanguageModel(models.ListRNN{Hidden: 5, Lists: 3, Read: 2, Side: 4, Noop: true}, 3)
		}, "list"},
	} {
		for seed := range uint64(5) {
			random := rand.New(rand.NewPCG(seed, 1))
			m, err := c.model()
			g := build(t, m, err)
			s := make([]int, steps)
			for i := range s {
				s[i] = random.IntN(3)
			}
			b := pack([][]int{s}, func([]int) []prediction { return []prediction{{At: 0, Target: 0}} })
			for i, x := range run(t, g, b, tensor.Float32, draw(random, g, 3)).Final[c.state].Data {
				if !(math.Abs(x) <= 1+steps*4*0x1p-24) {
					t.Errorf("%s, seed %d: number %d of the state is %v", m.Name, seed, i, x)
				}
			}
		}
	}
}

// TestClippedErrors checks that a clipping bound changes no gradient if it is never
// reached, and that a small bound changes some.
func TestClippedErrors(t *testing.T) {
	for _, make := range []func(clip float64) (*models.Model, error){
		func(clip float64) (*models.Model, error) {
			return models.StackLanguageModel(models.StackRNN{Hidden: 3, Stacks: 2, Read: 2, Capacity: 5, Recurrent: true, Clip: clip}, 3)
		},
		func(clip float64) (*models.Model, error) {
			return models.ListLanguageModel(models.ListRNN{Hidden: 3, Lists: 2, Read: 2, Side: 2, Clip: clip}, 3)
		},
		func(clip float64) (*models.Model, error) {
			return models.SigmaLanguageModel(models.SigmaRNN{Hidden: 3, Clip: clip}, 3)
		},
		func(clip float64) (*models.Model, error) {
			return models.ReaderLanguageModel(models.SymbolLSTM{Hidden: 3, Clip: clip}, 3)
		},
	} {
		grads := func(clip float64) map[string]stepgraph.Mat {
			m, err := make(clip)
			if err != nil {
				t.Fatal(err)
			}
			g, err := m.Build(stepgraph.Config{Training: true})
			if err != nil {
				t.Fatal(err)
			}
			b := pack([][]int{{0, 1, 2, 2, 1}}, func(s []int) (list []prediction) { return []prediction{{At: 2, Target: 1}, {At: 4, Target: 0}} })
			o, err := stepgraph.Unroll(g, b.Active, len(b.Pick), tensor.Float64)
			if err != nil {
				t.Fatal(err)
			}
			if err := o.Differentiate(); err != nil {
				t.Fatal(err)
			}
			v := stepgraph.Values{Params: draw(rand.New(rand.NewPCG(4, 4)), g, 1), Inputs: b.Inputs()}
			v.Inputs[stepgraph.InputSeed] = column([]float64{1, 1})
			res, err := o.Run(v)
			if err != nil {
				t.Fatal(err)
			}
			return res.Grads
		}
		none, far, near := grads(0), grads(15), grads(1e-3)
		for name, want := range none { // the order does not matter
			changed := false
			for i, w := range want.Data {
				if far[name].Data[i] != w {
					t.Errorf("gradient of %s[%d] is %v within 15, %v without a limit", name, i, far[name].Data[i], w)
				}
				changed = changed || near[name].Data[i] != w
			}
			if !changed && name != "W_o" && name != "b_o" {
				t.Errorf("gradient of %s is the same within 0.001", name)
			}
		}
	}
}

func TestBadLists(t *testing.T) {
	good := models.ListRNN{Hidden: 4, Lists: 2, Read: 2, Side: 3}
	for _, c := range []struct {
		change func(*models.ListRNN)
		says   string
	}{
		{func(c *models.ListRNN) { c.Hidden = 0 }, "h (hidden units) is 0, want at least 1"},
		{func(c *models.ListRNN) { c.Lists = 0 }, "s (lists) is 0, want at least 1"},
		{func(c *models.ListRNN) { c.Read = 0 }, "k (cells read) is 0, want at least 1"},
		{func(c *models.ListRNN) { c.Read = 5 }, "side (cells on a side of the head) is 3, want at least 4"},
		{func(c *models.ListRNN) { c.Side, c.Read = 0, 1 }, "side (cells on a side of the head) is 0, want at least 1"},
		{func(c *models.ListRNN) { c.Clip = -1 }, "clip of the errors is -1, want at least 0"},
		{func(c *models.ListRNN) { c.FlushBelow = -1 }, "least of the errors is -1, want at least 0"},
	} {
		bad := good
		c.change(&bad)
		if _, err := models.ListLanguageModel(bad, 3); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want one that says %q", err, c.says)
		}
	}
	if _, err := models.SigmaLanguageModel(models.SigmaRNN{}, 3); err == nil || !strings.Contains(err.Error(), "h (hidden units) is 0, want at least 1") {
		t.Errorf("error %v of a network without units", err)
	}
	if _, err := models.OneHotLanguageModel(models.LSTM{Hidden: 2}, 0); err == nil || !strings.Contains(err.Error(), "vocabulary is 0, want at least 1") {
		t.Errorf("error %v of a network without symbols", err)
	}
}
