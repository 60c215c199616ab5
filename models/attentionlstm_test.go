package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gorgonia.org/tensor"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/models"
	"pushdown/models/celltest"
)

// cellOf returns the parameters of cell s of an attention LSTM as the parameters of a
// plain LSTM with h units. W_x, W_h and b have the columns of the four gates one after the
// other, and each gate has h columns for each cell. cellOf takes the columns of cell s.
func cellOf(p map[string]stepgraph.Mat, s, cells, h int) map[string]stepgraph.Mat {
	q := map[string]stepgraph.Mat{"E": p["E"], "W_o": p["W_o"], "b_o": p["b_o"]}
	for _, name := range []string{"W_x", "W_h", "b"} {
		m := stepgraph.NewMat(p[name].Rows, 4*h)
		for r := range m.Rows {
			for c := range m.Cols {
				m.Set(r, c, p[name].At(r, c/h*cells*h+s*h+c%h))
			}
		}
		q[name] = m
	}
	return q
}

// weigh is a function that returns the weights of the cells for a symbol.
type weigh func(p map[string]stepgraph.Mat, symbol int) []float64

// attended returns a function that computes the weights of the cells of an attention LSTM.
// They are softmax(V_att x / tau), and inverse is 1/tau. If sharp is set, the largest
// score has weight 1 and the others have weight 0.
func attended(inverse float64, sharp bool) weigh {
	return func(p map[string]stepgraph.Mat, symbol int) []float64 {
		alpha, sum, best := make([]float64, p["V_att"].Cols), 0.0, 0
		scores := make([]float64, len(alpha))
		for s := range alpha {
			for i := range p["E"].Cols {
				scores[s] += p["E"].At(symbol, i) * p["V_att"].At(i, s)
			}
			if scores[s] > scores[best] {
				best = s
			}
			alpha[s] = math.Exp(scores[s] * inverse)
			sum += alpha[s]
		}
		for s := range alpha {
			alpha[s] /= sum
			if sharp {
				alpha[s] = 0
			}
		}
		if sharp {
			alpha[best] = 1
		}
		return alpha
	}
}

// TestMixedCells compares AttentionLSTM and AssignmentLSTM with plain loops that
// run each of their cells separately, string by string.
func TestMixedCells(t *testing.T) {
	const k, e, h, cells = 2, 3, 4, 3
	of := []int{2, 0, 1, 2}
	for _, c := range []struct {
		name string
		cell models.Cell
		weigh
	}{
		{"attention", models.AttentionLSTM{Hidden: h, Cells: cells}, attended(celltest.InverseTemperature, false)},
		{"sharp", models.AttentionLSTM{Hidden: h, Cells: cells, Sharp: true}, attended(1, true)},
		{"assignment", models.AssignmentLSTM{Hidden: h, Cells: cells, CellOf: of}, func(_ map[string]stepgraph.Mat, symbol int) []float64 {
			alpha := make([]float64, cells)
			alpha[of[symbol]] = 1
			return alpha
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(12, 0))
			model, err := models.LastState(c.cell, k, e)
			g := build(t, model, err)
			p := draw(random, g, 1)
			strings := [][]int{bounded(random, 4, k, 6), bounded(random, 4, k, 5), bounded(random, 4, k, 2)}
			got := run(t, g, pack(strings, closings(k)), tensor.Float64, p)
			i := 0
			for _, s := range strings {
				state, memory := make([]float64, h), make([]float64, h)
				for _, v := range s {
					if v >= k {
						checkPrediction(t, got, i, p, state, v-k)
						i++
					}
					nextH, nextC := make([]float64, h), make([]float64, h)
					for s, alpha := range c.weigh(p, v) {
						hs, cs := plainLSTM(cellOf(p, s, cells, h), p["E"].Data[v*e:(v+1)*e], state, memory)
						for j := range h {
							nextH[j] += alpha * hs[j]
							nextC[j] += alpha * cs[j]
						}
					}
					state, memory = nextH, nextC
				}
			}
			if i != got.Loss.Rows {
				t.Errorf("%d predictions compared, want %d", i, got.Loss.Rows)
			}
		})
	}
}

// TestAttentionAsLSTM compares the attention LSTM with an LSTM. They must agree to the bit
// if there is only one cell, and if one attention score is so far above the others that
// the same cell is always chosen. They must agree up to rounding if all cells are equal.
func TestAttentionAsLSTM(t *testing.T) {
	const k, e, h = 2, 3, 4
	for _, c := range []struct {
		name   string
		cells  int
		only   int  // cell that V_att selects for every symbol; -1: any
		equal  bool // all cells have the same parameters
		within float64
	}{
		{"one cell", 1, -1, false, 0},
		{"equal cells", 3, -1, true, 1e-12}, // the weights sum to 1 within 2e-16, over a dozen steps
		{"the first", 3, 0, false, 0},
		{"the last", 3, 2, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(13, 0))
			model, err := models.LastState(models.AttentionLSTM{Hidden: h, Cells: c.cells}, k, e)
			g := build(t, model, err)
			model, err = models.LastState(models.LSTM{Hidden: h}, k, e)
			plain := build(t, model, err)
			p := draw(random, g, 1)
			if c.only >= 0 { // set the first element of every x to 1
				for v := range 2 * k {
					p["E"].Set(v, 0, 1)
				}
				p["V_att"].Set(0, c.only, 1e4)
			}
			if c.equal {
				for _, name := range []string{"W_x", "W_h", "b"} {
					m := p[name]
					for r := range m.Rows {
						for col := range m.Cols {
							m.Set(r, col, m.At(r, col/(c.cells*h)*c.cells*h+col%h))
						}
					}
				}
			}
			b := pack([][]int{bounded(random, 4, k, 6), bounded(random, 4, k, 3)}, closings(k))
			got, want := run(t, g, b, tensor.Float64, p), run(t, plain, b, tensor.Float64, cellOf(p, max(c.only, 0), c.cells, h))
			for i, w := range want.Loss.Data {
				if math.Abs(got.Loss.Data[i]-w) > c.within {
					t.Errorf("prediction %d: loss %v, want %v", i, got.Loss.Data[i], w)
				}
			}
		})
	}
}

// TestSharp checks that Sharp gives the same bits as a very low temperature when package
// scan runs both networks.
func TestSharp(t *testing.T) {
	device := must(cpu.New(cpu.Options{ISA: cpu.Best()}))
	defer device.Close()
	var all [2][]float32
	for i, sharp := range []bool{false, true} {
		model, err := models.LanguageModel(models.AttentionLSTM{Hidden: 3, Cells: 2, Sharp: sharp}, 6, 4)
		g := build(t, model, err)
		p := celltest.NewProblem(g, model.Vocabulary, model.Readout.Classes, 5)
		vm, err := scan.Compile(g, device, scan.Options{MaxStrings: p.Active[0], MaxRows: len(p.Token), MaxSteps: len(p.Active), MaxExamples: len(p.Pick)})
		if err != nil {
			t.Fatal(err)
		}
		defer vm.Close()
		for name, m := range p.Params { // the order does not matter
			x := make([]float32, len(m.Data))
			for i, v := range m.Data {
				x[i] = float32(v)
			}
			if err := vm.SetParam(name, x); err != nil {
				t.Fatal(err)
			}
		}
		if err := vm.Begin(p.Active, len(p.Pick)); err != nil {
			t.Fatal(err)
		}
		p.Set(t, vm)
		if !sharp {
			if err := vm.SetFloats(models.InputInverseTemperature, []float32{1e30}); err != nil {
				t.Fatal(err)
			}
		}
		if err := vm.RunAll(); err != nil {
			t.Fatal(err)
		}
		all[i] = make([]float32, len(p.Pick))
		vm.Losses(all[i])
	}
	if diff := cmp.Diff(all[1], all[0]); diff != "" {
		t.Errorf("losses (-sharp +cold):\n%s", diff)
	}
}

// TestByType checks that both brackets of a type belong to the same cell.
func TestByType(t *testing.T) {
	if diff := cmp.Diff([]int{0, 1, 0, 1, 0, 0}, models.ByType(2, 6)); diff != "" {
		t.Error(diff)
	}
	defer func() {
		want := "models: assignment-lstm h=2 S=2: symbol 1 belongs to cell 2, want 0 to 1"
		if have := fmt.Sprint(recover()); have != want {
			t.Errorf("panic %q, want %q", have, want)
		}
	}()
	models.AssignmentLSTM{Hidden: 2, Cells: 2, CellOf: []int{0, 2}}.Params(3)
}
