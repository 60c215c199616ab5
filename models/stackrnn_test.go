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

// TestStackEquation compares the logits of [models.StackRNN], for several settings of its
// options, with those that stackLogits computes from the equations, in float64 on plain Go
// slices.
func TestStackEquation(t *testing.T) {
	const vocabulary = 3
	for _, c := range []models.StackRNN{
		{Hidden: 4, Stacks: 2, Read: 2, Capacity: 3},
		{Hidden: 3, Stacks: 3, Read: 1, Capacity: 4, Noop: true},
		{Hidden: 4, Stacks: 1, Read: 3, Capacity: 3, Recurrent: true},
		{Hidden: 5, Stacks: 2, Read: 2, Capacity: 4, Noop: true, Recurrent: true, Round: true},
		{Hidden: 4, Stacks: 2, Read: 1, Capacity: 2, Round: true},
	} {
		t.Run(c.String(), func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, uint64(c.Hidden)))
			m, err := models.StackLanguageModel(c, vocabulary)
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
			want := stackLogits(c, s, params)
			for i, w := range want {
				if math.Abs(got.Data[i]-w) > 1e-9 {
					t.Fatalf("logit %d is %v, want %v", i, got.Data[i], w)
				}
			}
		})
	}
}

// stackLogits evaluates the equations of StackRNN literally. With the option Round, each
// stack makes only its most probable action, with weight 1.
func stackLogits(c models.StackRNN, symbols []int, params map[string]stepgraph.Mat) (logits []float64) {
	sigma := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	times := func(x []float64, w stepgraph.Mat, from, n int) []float64 {
		y := make([]float64, n)
		for i, v := range x {
			for j := range y {
				y[j] += v * w.At(i, from+j)
			}
		}
		return y
	}
	actions := 2
	if c.Noop {
		actions = 3
	}
	h, stacks := make([]float64, c.Hidden), make([][]float64, c.Stacks)
	for j := range stacks {
		for range c.Capacity {
			stacks[j] = append(stacks[j], -1)
		}
	}
	for _, symbol := range symbols {
		var tops []float64
		for _, s := range stacks {
			tops = append(tops, s[:c.Read]...)
		}
		sum := times(tops, params["P"], 0, c.Hidden)
		if c.Recurrent {
			for i, v := range times(h, params["R"], 0, c.Hidden) {
				sum[i] += v
			}
		}
		h = make([]float64, c.Hidden)
		for i := range h {
			h[i] = sigma(params["E"].At(symbol, i) + sum[i])
		}
		for j, s := range stacks {
			a, total, most := times(h, params["A"], j*actions, actions), 0.0, 0
			for i := range a {
				if a[i] > a[most] {
					most = i
				}
			}
			for i := range a {
				a[i] = math.Exp(a[i])
				total += a[i]
			}
			for i := range a {
				a[i] /= total
				if c.Round {
					a[i] = 0
				}
			}
			if c.Round {
				a[most] = 1
			}
			next := make([]float64, c.Capacity)
			for i := range next {
				above, below := sigma(times(h, params["D"], j, 1)[0]), -1.0
				if i > 0 {
					above = s[i-1]
				}
				if i+1 < c.Capacity {
					below = s[i+1]
				}
				next[i] = a[0]*above + a[1]*below
				if c.Noop {
					next[i] += a[2] * s[i]
				}
			}
			stacks[j] = next
		}
		logits = append(logits, times(h, params["W_o"], 0, params["W_o"].Cols)...)
	}
	return logits
}

func TestBadStacks(t *testing.T) {
	good := models.StackRNN{Hidden: 4, Stacks: 2, Read: 2, Capacity: 3}
	for _, c := range []struct {
		change func(*models.StackRNN)
		says   string
	}{
		{func(c *models.StackRNN) { c.Hidden = 0 }, "h (hidden units) is 0, want at least 1"},
		{func(c *models.StackRNN) { c.Stacks = -1 }, "s (stacks) is -1, want at least 1"},
		{func(c *models.StackRNN) { c.Read = 0 }, "k (cells read) is 0, want at least 1"},
		{func(c *models.StackRNN) { c.Capacity = 1 }, "capacity (cells of a stack) is 1, want at least 2"},
		{func(c *models.StackRNN) { c.Clip = -15 }, "clip of the errors is -15, want at least 0"},
		{func(c *models.StackRNN) { c.FlushBelow = math.NaN() }, "least of the errors is NaN, want at least 0"},
	} {
		bad := good
		c.change(&bad)
		if _, err := models.StackLanguageModel(bad, 3); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want one that says %q", err, c.says)
		}
	}
}
