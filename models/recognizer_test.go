package models_test

import (
	"testing"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
	"pushdown/models"
	"pushdown/models/celltest"
)

// recognizer returns the network of a cell on the given number of symbols.
func recognizer(t *testing.T, cell models.Reader, symbols int) *models.Recognizer {
	t.Helper()
	r, err := models.NewRecognizer(cell, symbols)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLabelWeighted checks a network whose second loss term is weighted by
// stepgraph.InputLabelWeight: its gradient, and its results when package scan runs it.
func TestLabelWeighted(t *testing.T) {
	const symbols = 4
	device := must(cpu.New(cpu.Options{ISA: cpu.Best()}))
	defer device.Close()
	make := func() *stepgraph.Graph {
		r := recognizer(t, models.F1RNN{Hidden: 3}, symbols)
		r.LabelWeighted = true
		return build(t, r, nil)
	}
	celltest.Gradient(t, make(), symbols, symbols, 3)
	celltest.Scan(t, device, make, celltest.NewProblem(make(), symbols, symbols, 3))
}
