package models_test

import (
	"testing"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
	"pushdown/models"
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
	device := processor(t, cpu.Options{ISA: cpu.Best()})
	make := func() *stepgraph.Graph {
		r := recognizer(t, models.F1RNN{Hidden: 3}, symbols)
		r.LabelWeighted = true
		return build(t, r, nil)
	}
	checkGradient(t, make(), symbols, symbols, 3)
	checkScan(t, device, make, newProblem(make(), symbols, symbols, 3))
}
