package models_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// sharp is the size of the weight in W_proj that makes the gate g of a Dyck-RNN exactly 0
// or 1, because sigma(-800) underflows to 0.
const sharp = 800

// byHand is a network that hand-set parameters turn into an exact stack.
type byHand struct {
	name   string
	build  func(m, k int) (*models.Model, error)
	cells  func(m int) int // number of cells of the stack for a depth of m
	width  int             // number of elements of a cell
	number int             // index of the element that stores the type of an open bracket, 1 to k
}

func handSet() []byHand {
	m := func(m int) int { return m }
	return []byHand{
		{"frozen", models.DyckRNN, m, 1, 0},
		{"1d", models.DyckRNN1D, m, 1, 0},
		{"2d", models.DyckRNN2D, m, 2, 1},
		// Shifting by one number mixes neighbouring pairs. Here the second number of
		// each pair is 0, so nothing is added to the first number of another pair.
		{"2d-byone", models.DyckRNN2DShiftByOne, func(m int) int { return 2 * m }, 2, 0},
	}
}

func (h byHand) params(k int) map[string]stepgraph.Mat {
	e, proj, out, bias := stepgraph.NewMat(2*k, h.width), stepgraph.NewMat(h.width, 1), stepgraph.NewMat(h.width, k), stepgraph.NewMat(1, k)
	proj.Data[0] = sharp
	for c := range k {
		e.Set(c, 0, 1)
		e.Set(k+c, 0, -1)
		e.Set(c, h.number, float64(c+1))
		e.Set(k+c, h.number, -float64(c+1))
		out.Set(h.number, c, 2*float64(c+1))
		bias.Data[c] = -float64((c + 1) * (c + 1))
	}
	return map[string]stepgraph.Mat{"E": e, "W_proj": proj, "W_o": out, "b_o": bias}
}

// TestExactStack checks that a Dyck-RNN whose gate g is always 0 or 1 is an exact stack. It
// must predict every closing bracket of strings that are nested no deeper than the stack
// has cells. If the topmost open bracket has type v, the logit of type c must be exactly
// 2cv - c^2, which is largest for c = v.
func TestExactStack(t *testing.T) {
	for _, h := range handSet() {
		for _, size := range [][2]int{{1, 2}, {4, 2}, {3, 5}} {
			m, k := size[0], size[1]
			t.Run(fmt.Sprintf("%s/m=%d/k=%d", h.name, m, k), func(t *testing.T) {
				random := rand.New(rand.NewPCG(3, uint64(m)))
				var strings [][]int
				for range 8 {
					strings = append(strings, bounded(random, h.cells(m), k, 6+random.IntN(12)))
				}
				b := pack(strings, closings(k))
				model, err := h.build(m, k)
				g := build(t, model, err)
				got := run(t, g, b, tensor.Float32, h.params(k)).Outputs[models.OutputLogits]
				for i, target := range b.Target {
					v := target + 1
					for c := range k {
						if want := float64(c+1) * (2*v - float64(c+1)); got.At(i, c) != want {
							t.Fatalf("prediction %d, open bracket %v: logit %d is %v, want %v", i, v, c+1, got.At(i, c), want)
						}
					}
				}
			})
		}
	}
}

// TestStackOverflows checks that the stack loses its bottom cell if brackets are nested
// one level deeper than the stack has cells.
func TestStackOverflows(t *testing.T) {
	const m, k = 3, 2
	deep := []int{1, 0, 0, 0, 2, 2, 2, 3}
	h := handSet()[0]
	b := pack([][]int{deep}, closings(k))
	model, err := h.build(m, k)
	got := run(t, build(t, model, err), b, tensor.Float32, h.params(k)).Outputs[models.OutputLogits]
	if last := got.Rows - 1; got.At(last, 0) != -1 || got.At(last, 1) != -4 {
		t.Errorf("logits of the bracket that fell out are %v, want those of an empty cell, -1 -4", got.Data[last*k:])
	}
}

// TestDyckParameters checks which parameters are trained, and that their number does
// not depend on m.
func TestDyckParameters(t *testing.T) {
	for _, want := range []struct {
		build func(m, k int) (*models.Model, error)
		k     int
		count int
	}{
		{models.DyckRNN, 2, 5}, {models.DyckRNN, 5, 11}, {models.DyckRNN1D, 2, 9},
		{models.DyckRNN2D, 2, 16}, {models.DyckRNN2DShiftByOne, 2, 16},
	} {
		for _, m := range []int{4, 6, 8} {
			model, err := want.build(m, want.k)
			checkCount(t, model.Name, model, err, want.count)
		}
	}
}
