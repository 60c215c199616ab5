package models_test

import (
	"testing"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// TestDroppedState checks that a Dropped cell drops out in training only, and that what it drops is also the
// state passed on, but not the cell of an LSTM, nor the state of a layer below the last.
func TestDroppedState(t *testing.T) {
	two := models.Layers{Cells: []models.Cell{models.LSTM{Hidden: 3}, models.LSTM{Hidden: 3}}}
	for _, cell := range []models.Cell{models.RNN{Hidden: 3}, models.LSTM{Hidden: 3}, models.MMRNN{Hidden: 3}, models.MMLSTM{Hidden: 3}, two} {
		for _, training := range []bool{true, false} {
			model, err := models.LanguageModel(models.Dropped{Cell: cell, Rate: 0.5}, 5, 2)
			if err != nil {
				t.Fatal(err)
			}
			g, err := model.Build(stepgraph.Config{Training: training})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range g.States {
				op := stepgraph.OpOf(s.Out)
				dropped := op != nil && op.Kind == stepgraph.Dropout
				if want := training && (s.Name == "h" || s.Name == "layer2.h"); dropped != want {
					t.Errorf("%v, training %v: state %s: have dropped out %v, want %v", cell, training, s.Name, dropped, want)
				}
			}
		}
	}
}

// TestDroppedChecksItsCell checks that a Dropped cell refuses what its cell refuses.
func TestDroppedChecksItsCell(t *testing.T) {
	if _, err := models.LanguageModel(models.Dropped{Cell: models.Layers{}, Rate: 0.5}, 5, 2); err == nil {
		t.Error("have a model with no layers, want an error")
	}
}
