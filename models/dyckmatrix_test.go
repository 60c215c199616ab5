package models_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/models"
)

// matrices returns W_1, W_2 and W_hx as full matrices, for a state of n numbers.
// W_1 and W_2 shift by p places.
func matrices(n, p, e int) (w1, w2, whx [][]float64) {
	for i := range n {
		w1, w2, whx = append(w1, make([]float64, n)), append(w2, make([]float64, n)), append(whx, make([]float64, e))
		if i >= p {
			w1[i][i-p] = 1
		}
		if i+p < n {
			w2[i][i+p] = 1
		}
		if i < e {
			whx[i][i] = 1
		}
	}
	return w1, w2, whx
}

// TestDyckEquation compares the state of every variant with h_t = W_t h_{t-1} + g_t
// W_hx x_t, with an explicit W_t and random parameters.
func TestDyckEquation(t *testing.T) {
	const m, k = 4, 2
	for _, c := range []struct {
		name     string
		build    func(m, k int) (*models.Model, error)
		n, p, e  int
		numbered int // width that the read-out reads
	}{
		{"frozen", models.DyckRNN, m, 1, 1, 1}, {"1d", models.DyckRNN1D, m, 1, 1, 1},
		{"2d", models.DyckRNN2D, 2 * m, 2, 2, 2}, {"2d-byone", models.DyckRNN2DShiftByOne, 2 * m, 1, 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(11, 0))
			model, err := c.build(m, k)
			g := build(t, model, err)
			params := draw(random, g, 1)
			s := bounded(random, m, k, 8)
			got := run(t, g, pack([][]int{s}, closings(k)), tensor.Float64, params)

			w1, w2, whx := matrices(c.n, c.p, c.e)
			h := make([]float64, c.n)
			for _, v := range s {
				x, u := params["E"].Data[v*c.e:(v+1)*c.e], 0.0
				for j := range x {
					u += x[j] * params["W_proj"].Data[j]
				}
				gate := 1 / (1 + math.Exp(-u))
				next := make([]float64, c.n)
				for i := range next {
					for j := range h {
						next[i] += (gate*w1[i][j] + (1-gate)*w2[i][j]) * h[j]
					}
					for j := range x {
						next[i] += gate * whx[i][j] * x[j]
					}
				}
				h = next
			}
			for i, want := range h { // 16 sums of three terms of order 1
				if state := got.Final["h"].Data[i]; math.Abs(state-want) > 1e-14 {
					t.Errorf("h[%d] is %v, want %v", i, state, want)
				}
			}
			if w := g.Param("W_o"); w.Rows != c.numbered {
				t.Errorf("the read-out reads %d numbers, want %d", w.Rows, c.numbered)
			}
		})
	}
}
