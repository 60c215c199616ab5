package models_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// reader is a cell of a recognizer, for subtests and golden files.
type reader struct {
	name string
	cell models.Reader
}

// readers are all cells of recognizers at sizes that differ from each other.
func readers() []reader {
	stack := models.DiffStk{Hidden: 4, Read: 2, Capacity: 5}
	carry := stack
	carry.Carry, carry.Noise = true, 0.25
	total := models.DiffStk{Hidden: 3, Read: 3, Capacity: 3, Carry: true, Total: true}
	return []reader{
		{"diffstk-rnn", models.DiffStkRNN{DiffStk: stack}},
		{"diffstk-rnn-carry", models.DiffStkRNN{DiffStk: carry}},
		{"diffstk-lstm", models.DiffStkLSTM{DiffStk: stack}},
		{"diffstk-lstm-carry", models.DiffStkLSTM{DiffStk: total}},
		{"diffstk-mrnn", models.DiffStkMRNN{DiffStk: stack}},
		{"diffstk-mlstm", models.DiffStkMLSTM{DiffStk: stack}},
		{"diffstk-mlstm-carry", models.DiffStkMLSTM{DiffStk: carry}},
		{"diffstk-mirnn", models.DiffStkMIRNN{DiffStk: stack}},
		{"f1-rnn", models.F1RNN{Hidden: 3}},
		{"f1-rnn-noise", models.F1RNN{Hidden: 3, Noise: 0.5}},
		{"f1-lstm", models.F1LSTM{Hidden: 3}},
		{"gru", models.GRU{Hidden: 3}},
		{"delta-rnn", models.DeltaRNN{Hidden: 3}},
		{"recognizer-stack-rnn", models.StackRNN{Hidden: 4, Stacks: 1, Capacity: 5, Read: 2, Recurrent: true, Biased: true, Small: true}},
		{"stack-rnn-softmax", models.StackRNNSoftmax{Hidden: 4, Width: 2, Capacity: 3}},
		{"baby-ntm-softmax", models.BabyNTM{Hidden: 4, Width: 2, Cells: 3}},
	}
}

// recognizer is the network of a cell on symbols of which none is one.
func recognizer(t *testing.T, cell models.Reader, symbols int) *models.Recognizer {
	t.Helper()
	r, err := models.NewRecognizer(cell, symbols)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func buildOf(t *testing.T, r *models.Recognizer, cfg stepgraph.Config) *stepgraph.Graph {
	t.Helper()
	g, err := r.Build(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestRecognizerGradient is TestGradient for the recognizers.
func TestRecognizerGradient(t *testing.T) {
	const symbols = 5
	for i, c := range readers() {
		t.Run(c.name, func(t *testing.T) {
			checkGradient(t, buildOf(t, recognizer(t, c.cell, symbols), stepgraph.Config{}), symbols, symbols, 5, uint64(i))
		})
	}
}

// TestRecognizerScan is TestScan for the recognizers.
func TestRecognizerScan(t *testing.T) {
	const symbols = 5
	device, err := cpu.New(cpu.Options{ISA: cpu.Best()})
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	for i, c := range readers() {
		for _, cfg := range configurations() {
			t.Run(fmt.Sprintf("%s/training=%v", c.name, cfg.Training), func(t *testing.T) {
				build := func() *stepgraph.Graph { return buildOf(t, recognizer(t, c.cell, symbols), cfg) }
				checkScan(t, device, build, newProblem(build(), symbols, symbols, uint64(i)))
			})
		}
	}
}

// TestRecognizerPlans is TestPlans for the recognizers.
func TestRecognizerPlans(t *testing.T) {
	for _, c := range readers() {
		t.Run(c.name, func(t *testing.T) {
			r := recognizer(t, c.cell, 5)
			g := buildOf(t, r, stepgraph.Config{Training: true, Seed: 1})
			if err := g.Differentiate(); err != nil {
				t.Fatal(err)
			}
			plan, err := scan.Format(g, scan.Options{Strings: 4, Rows: 20, Steps: 5, Examples: 20, Moments: 2})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", "plan", c.name+".txt"), r.Name+"\n\n"+plan)
		})
	}
}

// TestJudged: where yhat counts as much as the input says, a network is held
// against central differences and its scan like the others.
func TestJudged(t *testing.T) {
	const symbols = 4
	device, err := cpu.New(cpu.Options{ISA: cpu.Best()})
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	build := func() *stepgraph.Graph {
		r := recognizer(t, models.F1RNN{Hidden: 3}, symbols)
		r.Judged = true
		return buildOf(t, r, stepgraph.Config{})
	}
	checkGradient(t, build(), symbols, symbols, 5, 3)
	checkScan(t, device, build, newProblem(build(), symbols, symbols, 3))
}
