package models_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
	"pushdown/models"
	"pushdown/models/celltest"
)

// TestOneLayer checks that Layers with a single cell computes the same as the cell
// alone. Only the names of parameters differ.
func TestOneLayer(t *testing.T) {
	for _, cell := range []models.Cell{models.RNN{Hidden: 3}, models.LSTM{Hidden: 3}, models.MMRNN{Hidden: 3}, models.MMLSTM{Hidden: 3}} {
		random := rand.New(rand.NewPCG(3, 3))
		model, err := models.LanguageModel(cell, 5, 2)
		alone := build(t, model, err)
		model, err = models.LanguageModel(models.Layers{Cells: []models.Cell{cell}}, 5, 2)
		layered := build(t, model, err)
		p := draw(random, alone, 1)
		q := map[string]stepgraph.Mat{}
		for name, m := range p { // the order does not matter
			if name != "E" && !strings.HasSuffix(name, "_o") {
				name = "layer1." + name
			}
			q[name] = m
		}
		b := pack([][]int{{0, 4, 2, 2}, {1, 3, 0}}, func(s []int) (list []prediction) {
			for t := range s {
				list = append(list, prediction{At: t, Target: s[t]})
			}
			return list
		})
		want, got := run(t, alone, b, tensor.Float64, p), run(t, layered, b, tensor.Float64, q)
		if diff := cmp.Diff(want.Loss, got.Loss); diff != "" {
			t.Errorf("%v: losses of the cell and of one layer of it differ:\n%s", cell, diff)
		}
	}
}

// TestTwoLayers compares an LSTM below an RNN with plain loops.
func TestTwoLayers(t *testing.T) {
	const k, e, h1, h2 = 2, 3, 4, 5
	random := rand.New(rand.NewPCG(4, 0))
	model, err := models.LastState(models.Layers{Cells: []models.Cell{models.LSTM{Hidden: h1}, models.RNN{Hidden: h2}}}, k, e)
	g := build(t, model, err)
	p := draw(random, g, 1)
	below, above := map[string]stepgraph.Mat{}, map[string]stepgraph.Mat{}
	for _, name := range []string{"W_x", "W_h", "b"} {
		below[name], above[name] = p["layer1."+name], p["layer2."+name]
	}
	list := [][]int{bounded(random, 4, k, 6), bounded(random, 4, k, 4), bounded(random, 4, k, 2)}
	got := run(t, g, pack(list, closings(k)), tensor.Float64, p)
	i := 0
	for _, s := range list {
		h, c, y := make([]float64, h1), make([]float64, h1), make([]float64, h2)
		for _, v := range s {
			if v >= k {
				checkPrediction(t, got, i, p, y, v-k)
				i++
			}
			h, c = plainLSTM(below, p["E"].Data[v*e:(v+1)*e], h, c)
			y, _ = plainRNN(above, h, y, nil)
		}
	}
	if i != got.Loss.Rows {
		t.Errorf("%d predictions compared, want %d", i, got.Loss.Rows)
	}
}

// TestDropoutBetweenLayers checks that each layer except the last has a dropout of its
// own, in training only.
func TestDropoutBetweenLayers(t *testing.T) {
	cells := []models.Cell{models.RNN{Hidden: 2}, models.LSTM{Hidden: 3}, models.RNN{Hidden: 4}}
	for _, training := range []bool{true, false} {
		model, err := models.LanguageModel(models.Layers{Cells: cells, Dropout: 0.5}, 5, 2)
		if err != nil {
			t.Fatal(err)
		}
		g, err := model.Build(stepgraph.Config{Training: training})
		if err != nil {
			t.Fatal(err)
		}
		var have, want []string
		for _, n := range g.Nodes() {
			if op := stepgraph.OpOf(n); op != nil && op.Kind == stepgraph.Dropout {
				have = append(have, op.Name)
			}
		}
		if training {
			want = []string{"dropout.layer1", "dropout.layer2"}
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("training %v: dropout sites (-want +have):\n%s", training, diff)
		}
	}
}

// TestLayersAreRefused checks that empty Layers and nested Layers are refused, both by
// LanguageModel and by the method Build of a Model. In nested Layers two dropouts would
// have the same name.
func TestLayersAreRefused(t *testing.T) {
	rnn := models.RNN{Hidden: 2}
	pair := models.Layers{Cells: []models.Cell{rnn, rnn}, Dropout: 0.5}
	for _, tc := range []struct {
		name  string
		cells []models.Cell
		want  string
	}{
		{"none", nil, "there are 0 layers, want at least 1"},
		{"nil", []models.Cell{rnn, nil}, "layer 2 of 2 is nil, want a cell"},
		{"layers", []models.Cell{pair, rnn}, "layer 1 of 2 is layers itself, want its cells in its place"},
		{"a pointer", []models.Cell{rnn, rnn, &pair}, "layer 3 of 3 is layers itself, want its cells in its place"},
		{"bad sizes", []models.Cell{rnn, models.StackRNN{Hidden: 2, Stacks: 0, Capacity: 3, Read: 1}}, "layer 2 of 2: s (stacks) is 0, want at least 1"},
		{"embedded", []models.Cell{struct{ models.Layers }{pair}}, "layer 1 of 1 is layers itself, want its cells in its place"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cell := models.Layers{Cells: tc.cells, Dropout: 0.5}
			_, err := models.LanguageModel(cell, 5, 2)
			if err == nil || !strings.HasPrefix(err.Error(), "models: ") || !strings.HasSuffix(err.Error(), ": "+tc.want) {
				t.Errorf("made with error %v, want one ending in %q", err, tc.want)
			}
			m := &models.Model{Name: "literal", Vocabulary: 5, Embedding: models.NormalEmbedding(2), Cell: cell, Readout: models.Readout{Classes: 5}}
			_, err = m.Build(stepgraph.Config{Training: true})
			if want := "models: literal: " + tc.want; err == nil || err.Error() != want {
				t.Errorf("built with error %v, want %q", err, want)
			}
		})
	}
}

// TestLayersOfCheckedCells builds Layers with a cell that has a check method, and
// checks the gradient.
func TestLayersOfCheckedCells(t *testing.T) {
	stack := models.StackRNN{Hidden: 3, Stacks: 1, Capacity: 4, Read: 2}
	model, err := models.LanguageModel(models.Layers{Cells: []models.Cell{stack, models.LSTM{Hidden: 2}}}, 4, 3) // a Stack RNN reads as many numbers as it has hidden units
	if err != nil {
		t.Fatal(err)
	}
	graph, err := model.Build(stepgraph.Config{})
	if err != nil {
		t.Fatal(err)
	}
	celltest.Gradient(t, graph, 4, 4, 1)
}

// TestReaderNeedsItsWidth checks that a model is refused if its cell is a Reader and
// the width of its embedding is not the Inputs of the cell.
func TestReaderNeedsItsWidth(t *testing.T) {
	_, err := models.OneHotLanguageModel(models.SRCN{Hidden: 3, Context: 2}, 10)
	if err == nil || !strings.HasSuffix(err.Error(), "have an embedding of width 10, want 5, which the cell reads") {
		t.Errorf("have %v, want an error about the width", err)
	}
}
