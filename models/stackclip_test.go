package models_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// clippedBack computes gradients as the authors' program does, in plain loops. Only the
// last symbol is followed by a prediction. Every gradient is clipped where the program
// clips it, and FlushBelow acts as in StackRNN. The keys of the result are the names of
// the parameters.
func clippedBack(c models.StackRNN, symbols []int, target int, params map[string]stepgraph.Mat) map[string][]float64 {
	n, last := 2, len(symbols)-1
	if c.Noop {
		n = 3
	}
	p, a, d, e, w := params["P"], params["A"], params["D"], params["E"], params["W_o"]
	grad := map[string][]float64{}
	for name, x := range params {
		grad[name] = make([]float64, len(x.Data))
	}
	clip := func(x float64) float64 { return max(-c.Clip, min(c.Clip, x)) }
	sigma := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	fresh := func() [][]float64 {
		s := make([][]float64, c.Stacks)
		for j := range s {
			s[j] = make([]float64, c.Capacity+1)
		}
		return s
	}
	// The forward pass stores all values, for the backward pass. Each stack has one more
	// element below its last cell. This element holds the value of an empty cell, which
	// POP shifts in.
	stack, hidden, act, value := [][][]float64{fresh()}, [][]float64{make([]float64, c.Hidden)}, [][]float64{nil}, [][]float64{nil}
	for _, s := range stack[0] {
		for i := range s {
			s[i] = -1
		}
	}
	for t, x := range symbols {
		h := make([]float64, c.Hidden)
		for i := range h {
			sum := e.At(x, i)
			for j := range c.Stacks {
				for k := range c.Read {
					sum += p.At(j*c.Read+k, i) * stack[t][j][k]
				}
			}
			if c.Recurrent {
				for k, y := range hidden[t] {
					sum += params["R"].At(k, i) * y
				}
			}
			h[i] = sigma(sum)
		}
		dot := func(m stepgraph.Mat, col int) (sum float64) {
			for i, y := range h {
				sum += y * m.At(i, col)
			}
			return sum
		}
		next, actions, values := fresh(), make([]float64, n*c.Stacks), make([]float64, c.Stacks)
		for j, s := range next {
			total := 0.0
			for k := range n {
				actions[n*j+k] = math.Exp(dot(a, n*j+k))
				total += actions[n*j+k]
			}
			for k := range n {
				actions[n*j+k] /= total
			}
			values[j] = sigma(dot(d, j))
			for i := range c.Capacity {
				up := values[j]
				if i > 0 {
					up = stack[t][j][i-1]
				}
				s[i] = actions[n*j]*up + actions[n*j+1]*stack[t][j][i+1]
				if c.Noop {
					s[i] += actions[n*j+2] * stack[t][j][i]
				}
			}
			s[c.Capacity] = -1
		}
		stack, hidden, act, value = append(stack, next), append(hidden, h), append(act, actions), append(value, values)
	}
	// Backward.
	prob, total := make([]float64, w.Cols), 0.0
	for k := range prob {
		for i, y := range hidden[last+1] {
			prob[k] += y * w.At(i, k)
		}
		prob[k] = math.Exp(prob[k])
		total += prob[k]
	}
	errH, errStack := make([]float64, c.Hidden), fresh()
	for k := range prob {
		g := prob[k] / total
		if k == target {
			g--
		}
		for i, y := range hidden[last+1] {
			grad["W_o"][i*w.Cols+k] += g * y
			errH[i] += g * w.At(i, k)
		}
	}
	for i := range errH {
		errH[i] = clip(errH[i])
	}
	for t := last; t >= 0; t-- {
		h, before := hidden[t+1], stack[t]
		back := fresh()
		for j, g := range errStack {
			w := act[t+1][n*j : n*j+n]
			v := value[t+1][j]
			dv := clip(g[0] * w[0] * v * (1 - v))
			da := make([]float64, n)
			for i := range c.Capacity {
				up := v
				if i > 0 {
					up = before[j][i-1]
					back[j][i-1] += w[0] * g[i]
				}
				da[0] += g[i] * up
				da[1] += g[i] * before[j][i+1]
				if i+1 < c.Capacity {
					back[j][i+1] += w[1] * g[i]
				}
				if c.Noop {
					da[2] += g[i] * before[j][i]
					back[j][i] += w[2] * g[i]
				}
			}
			sum := 0.0
			for k := range da {
				da[k] = clip(da[k])
				sum += da[k] * w[k]
			}
			for i, y := range h {
				grad["D"][i*c.Stacks+j] += y * dv
				errH[i] += d.At(i, j) * dv
				for k := range da {
					g := clip(w[k] * (da[k] - sum))
					grad["A"][i*n*c.Stacks+n*j+k] += y * g
					errH[i] += a.At(i, n*j+k) * g
				}
			}
			for i := range back[j] {
				if math.Abs(back[j][i]) < c.FlushBelow {
					back[j][i] = 0
				}
				back[j][i] = clip(back[j][i])
			}
		}
		handed := make([]float64, c.Hidden)
		for i, y := range h {
			g := clip(errH[i] * y * (1 - y))
			grad["E"][symbols[t]*c.Hidden+i] += g
			for j := range c.Stacks {
				for k := range c.Read {
					grad["P"][(j*c.Read+k)*c.Hidden+i] += g * before[j][k]
					back[j][k] += p.At(j*c.Read+k, i) * g
				}
			}
			if c.Recurrent {
				for k, x := range hidden[t] {
					grad["R"][k*c.Hidden+i] += g * x
					handed[k] += params["R"].At(k, i) * g
				}
			}
		}
		for j := range back {
			for i := range back[j] {
				back[j][i] = clip(back[j][i])
			}
		}
		for i := range handed {
			handed[i] = clip(handed[i])
		}
		errH, errStack = handed, back
	}
	return grad
}

// TestStackClip compares the clipped gradients of the network with the backward
// pass of the authors' program. The first bound clips no gradient; each of the
// others changes some.
func TestStackClip(t *testing.T) {
	for _, c := range []models.StackRNN{
		{Hidden: 4, Stacks: 2, Read: 2, Capacity: 4},
		{Hidden: 3, Stacks: 3, Read: 1, Capacity: 5, Noop: true},
		{Hidden: 5, Stacks: 2, Read: 2, Capacity: 3, Noop: true, Recurrent: true},
	} {
		var free map[string]stepgraph.Mat
		for _, bound := range [][2]float64{{1000, 0}, {0.3, 0}, {0.03, 0}, {0.003, 0}, {1, 0.01}} {
			c.Clip, c.FlushBelow = bound[0], bound[1]
			t.Run(c.String(), func(t *testing.T) {
				random := rand.New(rand.NewPCG(9, uint64(c.Hidden)))
				m, err := models.StackLanguageModel(c, 3)
				g := build(t, m, err)
				params := draw(random, g, 1.5)
				s := []int{0, 2, 1, 1, 0, 2, 1}
				b := pack([][]int{s}, func(s []int) []prediction { return []prediction{{At: len(s) - 1, Target: 2}} })
				o, err := stepgraph.Unroll(g, b.Active, 1, tensor.Float64)
				if err != nil {
					t.Fatal(err)
				}
				if err := o.Differentiate(); err != nil {
					t.Fatal(err)
				}
				in := b.Inputs()
				in[stepgraph.InputSeed] = column([]float64{1})
				got, err := o.Run(stepgraph.Values{Params: params, Inputs: in})
				if err != nil {
					t.Fatal(err)
				}
				if free == nil {
					free = got.Grads
				}
				differs := bound[0] == 1000
				for name, want := range clippedBack(c, s, 2, params) {
					for i, x := range want {
						if have := got.Grads[name].Data[i]; math.Abs(have-x) > 1e-12 {
							t.Fatalf("gradient by %s[%d] is %v, the authors' %v", name, i, have, x)
						}
						differs = differs || math.Abs(x-free[name].Data[i]) > 1e-6
					}
				}
				if !differs {
					t.Error("nothing was clipped, so nothing is tested")
				}
			})
		}
	}
}

// TestStackReach checks the program that package scan compiles for a stream. The
// program must compute gradients of the stacks only for the cells near the top, where a
// gradient can be nonzero, and must add and clip these gradients in place.
func TestStackReach(t *testing.T) {
	for _, c := range []models.StackRNN{
		{Hidden: 4, Stacks: 2, Read: 2, Capacity: 50},
		{Hidden: 4, Stacks: 2, Read: 2, Capacity: 50, Noop: true, Clip: 15, ClampArgs: 50, FlushBelow: 0x1p-96},
	} {
		m, err := models.StackLanguageModel(c, 3)
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.Build(stepgraph.Config{Training: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Differentiate(); err != nil {
			t.Fatal(err)
		}
		text, err := scan.Format(g, scan.Options{MaxStrings: 1, MaxRows: 1, MaxSteps: 1, MaxExamples: 1, Window: 50})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, "rows 1-1*back to 1+1*back") || strings.Contains(text, "hand back stack") || strings.Contains(text, "coldot         ") {
			t.Errorf("%v: the program is\n%s", c, text)
		}
	}
}
