package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// everyRow returns a function that lists a prediction after every symbol of a string.
// The target is a random class, 0 to n-1.
func everyRow(random *rand.Rand, n int) func(s []int) []prediction {
	return func(s []int) (list []prediction) {
		for at := range s {
			list = append(list, prediction{At: at, Target: random.IntN(n)})
		}
		return list
	}
}

// symbolsOf returns four strings of random symbols, the longest first.
func symbolsOf(random *rand.Rand, vocabulary int) [][]int {
	var list [][]int
	for _, n := range []int{9, 6, 6, 1} {
		s := make([]int, n)
		for i := range s {
			s[i] = random.IntN(vocabulary)
		}
		list = append(list, s)
	}
	return list
}

// plainMultiplicative returns the pre-activations of an mRNN, or of all gates of an mLSTM,
// by plain loops over W_hx, W_mx, W_hm and b.
func plainMultiplicative(p weights, x, h vec, maps int, direct bool) vec {
	n := len(h)
	if !direct {
		h = p.of("W_mh", h)
	}
	m := p.part("W_x", x, maps*n, n).times(h)
	return p.part("W_x", x, 0, maps*n).add(p.of("W_hm", m)).add(p.row("b"))
}

// TestMultiplicative runs mRNN and mLSTM, each with and without W_mh, and compares the
// results for every string with those of plain loops.
func TestMultiplicative(t *testing.T) {
	const vocabulary, e, h = 4, 3, 5
	for _, direct := range []bool{false, true} {
		for _, c := range []struct {
			cell models.Cell
			maps int
		}{{models.MRNN{Hidden: h, Direct: direct}, 1}, {models.MLSTM{Hidden: h, Direct: direct}, 4}} {
			t.Run(c.cell.String(), func(t *testing.T) {
				random := rand.New(rand.NewPCG(5, 0))
				model, err := models.LanguageModel(c.cell, vocabulary, e)
				g := build(t, model, err)
				p := draw(random, g, 1)
				list := symbolsOf(random, vocabulary)
				b := pack(list, everyRow(random, vocabulary))
				got, i := run(t, g, b, tensor.Float64, p), 0
				for _, s := range list {
					state, memory := make(vec, h), make(vec, h)
					for _, v := range s {
						pre := plainMultiplicative(p, p["E"].Data[v*e:(v+1)*e], state, c.maps, direct)
						if c.maps == 1 {
							state = pre.each(math.Tanh)
						} else {
							memory = pre[h : 2*h].each(sigma).times(memory).add(pre[:h].each(sigma).times(pre[2*h : 3*h].each(math.Tanh)))
							state = pre[3*h:].each(sigma).times(memory.each(math.Tanh))
						}
						checkPrediction(t, got, i, p, state, int(b.Target[i]))
						i++
					}
				}
				if i != got.Loss.Rows {
					t.Errorf("%d predictions compared, want %d", i, got.Loss.Rows)
				}
			})
		}
	}
}

// TestMultiplicativeAsBaselines checks that mRNN equals RNN and mLSTM equals LSTM, up to
// the rounding of their sums, if all elements of W_mx x_t are 1 for every symbol and W_mh
// is the identity or absent.
func TestMultiplicativeAsBaselines(t *testing.T) {
	const vocabulary, e, h = 4, 3, 5
	for _, direct := range []bool{false, true} {
		for _, c := range []struct {
			cell, plain models.Cell
			maps        int
		}{
			{models.MRNN{Hidden: h, Direct: direct}, models.RNN{Hidden: h}, 1},
			{models.MLSTM{Hidden: h, Direct: direct}, models.LSTM{Hidden: h}, 4},
		} {
			t.Run(c.cell.String(), func(t *testing.T) {
				random := rand.New(rand.NewPCG(7, 0))
				model, err := models.LanguageModel(c.cell, vocabulary, e)
				g := build(t, model, err)
				model, err = models.LanguageModel(c.plain, vocabulary, e)
				plain := build(t, model, err)
				p := draw(random, g, 1)
				for v := range vocabulary {
					p["E"].Set(v, 0, 1)
				}
				q := map[string]stepgraph.Mat{"E": p["E"], "W_o": p["W_o"], "b_o": p["b_o"], "b": p["b"], "W_h": p["W_hm"], "W_x": stepgraph.NewMat(e, c.maps*h)}
				for i := range e {
					for j := range (c.maps + 1) * h {
						switch {
						case j < c.maps*h:
							q["W_x"].Set(i, j, p["W_x"].At(i, j))
						case i == 0:
							p["W_x"].Set(i, j, 1)
						default:
							p["W_x"].Set(i, j, 0)
						}
					}
				}
				if !direct {
					for i := range h {
						for j := range h {
							p["W_mh"].Set(i, j, 0)
						}
						p["W_mh"].Set(i, i, 1)
					}
				}
				b := pack(symbolsOf(random, vocabulary), everyRow(random, vocabulary))
				got, want := run(t, g, b, tensor.Float64, p), run(t, plain, b, tensor.Float64, q)
				for i, w := range want.Loss.Data {
					near(t, fmt.Sprintf("loss of prediction %d", i), got.Loss.Data[i], w)
				}
			})
		}
	}
}
