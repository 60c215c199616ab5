package models_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// plainMaps computes the pre-activations of a memory-matrix cell: W_t h + W_hx x + b, once for
// an mmRNN and for each of i, f, g and o of an mmLSTM. It forms W_t explicitly, as in the
// paper. It also returns the next keys.
func plainMaps(p map[string]stepgraph.Mat, x, h, keys []float64) (maps [][]float64, next []float64) {
	n, count := len(h), len(keys)/4
	for u := range count {
		key, sum := make([]float64, 4), 0.0
		for a := range key {
			score := 0.0 // W_proj [v; h; x]
			for i, v := range keys[4*u : 4*u+4] {
				score += v * p["W_v"].At(i, 4*u+a)
			}
			for i, v := range h {
				score += v * p["W_h"].At(i, count*4*n+4*u+a)
			}
			for i, v := range x {
				score += v * p["W_x"].At(i, count*n+4*u+a)
			}
			key[a] = math.Exp(score)
			sum += key[a]
		}
		for a := range key {
			key[a] /= sum
		}
		r := make([]float64, n)
		for j := range r {
			r[j] = p["b"].At(0, u*n+j)
			for i, v := range x {
				r[j] += v * p["W_x"].At(i, u*n+j)
			}
			for i, v := range h {
				w := 0.0 // element of W_t
				for a, k := range key {
					w += k * p["W_h"].At(i, (u*4+a)*n+j)
				}
				r[j] += v * w
			}
		}
		maps, next = append(maps, r), append(next, key...)
	}
	return maps, next
}

// gates returns h and c of an LSTM with the pre-activations i, f, g, o.
func gates(maps [][]float64, c []float64) (h, next []float64) {
	sigma := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for j := range c {
		next = append(next, sigma(maps[1][j])*c[j]+sigma(maps[0][j])*math.Tanh(maps[2][j]))
		h = append(h, sigma(maps[3][j])*math.Tanh(next[j]))
	}
	return h, next
}

// TestMemoryMatrices compares mmRNN and mmLSTM with plain loops that form the mixed
// matrix, string by string.
func TestMemoryMatrices(t *testing.T) {
	const k, e, h = 2, 3, 4
	for _, c := range []struct {
		name string
		cell models.Cell
		maps int
	}{{"mmrnn", models.MMRNN{Hidden: h}, 1}, {"mmlstm", models.MMLSTM{Hidden: h}, 4}} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(6, 0))
			model, err := models.LastState(c.cell, k, e)
			g := build(t, model, err)
			p := draw(random, g, 1)
			strings := [][]int{bounded(random, 4, k, 6), bounded(random, 4, k, 5), bounded(random, 4, k, 5), bounded(random, 4, k, 2)}
			got := run(t, g, pack(strings, closings(k)), tensor.Float64, p)
			i := 0
			for _, s := range strings {
				state, cell, keys := make([]float64, h), make([]float64, h), make([]float64, 4*c.maps)
				for j := range keys {
					keys[j] = 0.25
				}
				for _, v := range s {
					if v >= k {
						checkPrediction(t, got, i, p, state, v-k)
						i++
					}
					var maps [][]float64
					maps, keys = plainMaps(p, p["E"].Data[v*e:(v+1)*e], state, keys)
					if c.maps == 4 {
						state, cell = gates(maps, cell)
						continue
					}
					for j := range state {
						state[j] = math.Tanh(maps[0][j])
					}
				}
			}
			if i != got.Loss.Rows {
				t.Errorf("%d predictions compared, want %d", i, got.Loss.Rows)
			}
		})
	}
}

// TestMemoryMatricesAsBaselines checks that a memory-matrix cell equals the plain cell in
// two cases: if its four matrices are equal, whatever the keys are, and if the keys select
// one of the four.
func TestMemoryMatricesAsBaselines(t *testing.T) {
	const k, e, h = 2, 3, 4
	for _, c := range []struct {
		name         string
		mixed, plain models.Cell
		maps         int
	}{
		{"mmrnn", models.MMRNN{Hidden: h}, models.RNN{Hidden: h}, 1},
		{"mmlstm", models.MMLSTM{Hidden: h}, models.LSTM{Hidden: h}, 4},
	} {
		for _, chosen := range []int{-1, 0, 2, 3} {
			t.Run(c.name, func(t *testing.T) {
				random := rand.New(rand.NewPCG(8, uint64(chosen+1)))
				model, err := models.LastState(c.mixed, k, e)
				mixed := build(t, model, err)
				model, err = models.LastState(c.plain, k, e)
				plain := build(t, model, err)

				p := draw(random, mixed, 1)
				for v := range 2 * k {
					p["E"].Set(v, 0, 1)
				}
				q := map[string]stepgraph.Mat{"E": p["E"], "b": p["b"], "W_o": p["W_o"], "b_o": p["b_o"], "W_x": stepgraph.NewMat(e, c.maps*h), "W_h": stepgraph.NewMat(h, c.maps*h)}
				for u := range c.maps * h {
					for i := range e {
						q["W_x"].Set(i, u, p["W_x"].At(i, u))
					}
					for i := range h {
						from := max(chosen, 0)
						q["W_h"].Set(i, u, p["W_h"].At(i, (u/h*4+from)*h+u%h))
						for a := range 4 {
							if chosen < 0 {
								p["W_h"].Set(i, (u/h*4+a)*h+u%h, q["W_h"].At(i, u))
							}
						}
					}
					if chosen >= 0 {
						// The first element of x is always 1. So this weight of 1e4 raises the
						// chosen score far above the other three, and their weights in the
						// mixture become 0.
						p["W_x"].Set(0, c.maps*h+u/h*4+chosen, 1e4)
					}
				}
				strings := [][]int{bounded(random, 4, k, 6), bounded(random, 4, k, 3)}
				b := pack(strings, closings(k))
				got, want := run(t, mixed, b, tensor.Float64, p), run(t, plain, b, tensor.Float64, q)
				for i, w := range want.Loss.Data {
					// The losses may differ by rounding errors: both are sums of a few
					// terms of order 1 over a dozen steps, added in different orders.
					if math.Abs(got.Loss.Data[i]-w) > 1e-12 {
						t.Errorf("choice %d, prediction %d: loss %v, want %v", chosen, i, got.Loss.Data[i], w)
					}
				}
			})
		}
	}
}
