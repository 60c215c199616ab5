package models_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// network is a function that runs one step of a cell with plain loops. It maps x and
// the states h and c to the next states.
type network func(p map[string]stepgraph.Mat, x, h, c []float64) (nextH, nextC []float64)

// sumInto returns element j of x W_x + h W_h + b.
func sumInto(p map[string]stepgraph.Mat, x, h []float64, j int) float64 {
	s := p["b"].At(0, j)
	for i, v := range x {
		s += v * p["W_x"].At(i, j)
	}
	for i, v := range h {
		s += v * p["W_h"].At(i, j)
	}
	return s
}

func plainRNN(p map[string]stepgraph.Mat, x, h, c []float64) (nextH, nextC []float64) {
	for j := range h {
		nextH = append(nextH, math.Tanh(sumInto(p, x, h, j)))
	}
	return nextH, c
}

func plainLSTM(p map[string]stepgraph.Mat, x, h, c []float64) (nextH, nextC []float64) {
	sigma := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	n := len(h)
	for j := range n {
		i, f := sigma(sumInto(p, x, h, j)), sigma(sumInto(p, x, h, n+j))
		g, o := math.Tanh(sumInto(p, x, h, 2*n+j)), sigma(sumInto(p, x, h, 3*n+j))
		nextC = append(nextC, f*c[j]+i*g)
		nextH = append(nextH, o*math.Tanh(nextC[j]))
	}
	return nextH, nextC
}

// TestBaselines compares the probabilities of RNN and LSTM with plain loops, string
// by string. This also shows that the strings of a batch do not affect each other.
func TestBaselines(t *testing.T) {
	const k, e, h = 2, 3, 5
	for _, c := range []struct {
		name  string
		cell  models.Cell
		plain network
	}{{"rnn", models.RNN{Hidden: h}, plainRNN}, {"lstm", models.LSTM{Hidden: h}, plainLSTM}} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, 0))
			model, err := models.LastState(c.cell, k, e)
			g := build(t, model, err)
			p := draw(random, g, 1)
			strings := [][]int{bounded(random, 4, k, 6), bounded(random, 4, k, 5), bounded(random, 4, k, 5), bounded(random, 4, k, 2)}
			got := run(t, g, pack(strings, closings(k)), tensor.Float64, p)
			i := 0
			for _, s := range strings {
				state, cell := make([]float64, h), make([]float64, h)
				for _, v := range s {
					if v >= k {
						checkPrediction(t, got, i, p, state, v-k)
						i++
					}
					state, cell = c.plain(p, p["E"].Data[v*e:(v+1)*e], state, cell)
				}
			}
			if i != got.Loss.Rows {
				t.Errorf("%d predictions compared, want %d", i, got.Loss.Rows)
			}
		})
	}
}

// checkPrediction compares prediction i of the graph with the prediction that plain
// loops compute from the state y. The two may differ by rounding errors, because they
// add the same few terms, which are of order 1, in different orders.
func checkPrediction(t *testing.T, got *stepgraph.Result, i int, p map[string]stepgraph.Mat, y []float64, target int) {
	t.Helper()
	k := p["b_o"].Cols
	exp, sum := make([]float64, k), 0.0
	for c := range k {
		logit := p["b_o"].At(0, c)
		for j, v := range y {
			logit += v * p["W_o"].At(j, c)
		}
		exp[c] = math.Exp(logit)
		sum += exp[c]
	}
	for c := range k {
		if prob := got.Outputs[models.OutputProb].At(i, c); math.Abs(prob-exp[c]/sum) > 1e-14 {
			t.Fatalf("prediction %d: probability of class %d is %v, want %v", i, c, prob, exp[c]/sum)
		}
	}
	if want := -math.Log(exp[target] / sum); math.Abs(got.Loss.Data[i]-want) > 1e-13 {
		t.Fatalf("prediction %d: loss %v, want %v", i, got.Loss.Data[i], want)
	}
}
