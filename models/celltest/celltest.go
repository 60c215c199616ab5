// Package celltest checks cells. A cell of one's own gets the checks of the cells of package
// models from a test of one line:
//
//	func TestCell(t *testing.T) { celltest.Check(t, mgu.Cell{Hidden: 3}) }
//
// The checks are:
//
//   - The network can be built and differentiated. The formulas Output and Count of the
//     cell are right, every parameter has an influence on the loss, and two builds give the
//     same graph.
//   - The gradient with respect to every parameter and every initial state is that of
//     central differences, in float64.
//   - The run that package scan plans gives the losses, outputs and gradients of the
//     unrolled graph in float64, in training and in evaluation.
//   - A short training gives the same bits with every instruction set of the processor,
//     with one thread and with several, and with the GPU kernels, which an interpreter runs.
//
// The strings of all checks are short and of unequal length, and some symbols have no
// prediction. Use small sizes, such as 3 units: the checks run the network hundreds of
// times. With -short the checks look at fewer numbers.
//
// An operation that changes the gradient on purpose, such as [stepgraph.Builder.ClipGrad],
// [stepgraph.Builder.Clamp] or [stepgraph.Builder.StopGrad], makes it differ from central
// differences. Give Check a cell whose bounds are never reached. The check for one that
// stops gradients must be written by hand.
//
// No check knows what a cell should compute. Compare it with plain loops, as
// baseline_test.go of package models does.
package celltest

import (
	"fmt"
	"hash/fnv"
	"testing"

	"pushdown/harness/kernel/cpu"
	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// Check checks a cell in a language model. A [models.Reader] is also checked in a
// [models.Recognizer], and any other cell in two layers, of which the second reads what the
// first puts out.
func Check(t *testing.T, cell models.Cell) {
	t.Helper()
	const symbols, width = 5, 2
	var list []models.Sample
	add := func(what string, n models.Network, err error) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, models.Sample{Name: what, Network: n})
	}
	if r, ok := cell.(models.Reader); ok {
		m, err := models.ReaderLanguageModel(r, symbols)
		add("language-model", m, err)
		n, err := models.NewRecognizer(r, symbols)
		add("recognizer", n, err)
	} else {
		m, err := models.LanguageModel(cell, symbols, width)
		add("language-model", m, err)
		if _, ok := cell.(models.Layers); !ok {
			m, err = models.LanguageModel(models.Layers{Cells: []models.Cell{cell, cell}}, symbols, width)
			add("layers", m, err)
		}
	}
	Networks(t, list...)
}

// Networks checks each of the given networks in a subtest of its name.
func Networks(t *testing.T, list ...models.Sample) {
	t.Helper()
	devices := openDevices(t)
	best := processor(t, cpu.Options{ISA: cpu.Best()})
	for _, n := range list {
		t.Run(n.Name, func(t *testing.T) {
			if !t.Run("graph", func(t *testing.T) { checkGraph(t, n) }) {
				return // the other checks would say the same
			}
			symbols, classes := sizes(n)
			t.Run("gradient", func(t *testing.T) { Gradient(t, build(t, n, stepgraph.Config{}), symbols, classes, Seed(n.Name)) })
			for _, cfg := range configurations() {
				t.Run(fmt.Sprintf("scan/training=%v", cfg.Training), func(t *testing.T) {
					build := func() *stepgraph.Graph { return build(t, withDropout(n), cfg) }
					Scan(t, best, build, NewProblem(build(), symbols, classes, Seed(n.Name)))
				})
			}
			t.Run("devices", func(t *testing.T) { checkDevices(t, n, devices) })
		})
	}
}

// configurations returns the configurations for scan tests: training and, without
// -short, evaluation.
func configurations() []stepgraph.Config {
	list := []stepgraph.Config{{Training: true, Seed: 3}, {}}
	if testing.Short() {
		return list[:1]
	}
	return list
}

// withDropout returns a network with dropout before the cell and before the read-out, if
// it is a Model. Both rates are exact in float32, so that the same elements are dropped in
// float32 and in float64.
func withDropout(n models.Sample) models.Sample {
	if m, ok := n.Network.(*models.Model); ok {
		with := *m
		with.Embedding.Dropout, with.Readout.Dropout = 0.25, 0.5
		n.Network = &with
	}
	return n
}

// sizes returns the number of symbols that a network reads and the number of classes that
// it predicts.
func sizes(n models.Sample) (symbols, classes int) {
	switch n := n.Network.(type) {
	case *models.Model:
		return n.Vocabulary, n.Readout.Classes
	case *models.Recognizer:
		return n.Symbols, n.Symbols
	}
	panic(fmt.Sprintf("celltest: network %s is a %T, want a Model or a Recognizer", n.Name, n.Network))
}

// Seed returns a seed that depends on the name of a network alone.
func Seed(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

func build(t testing.TB, n models.Network, cfg stepgraph.Config) *stepgraph.Graph {
	t.Helper()
	g, err := n.Build(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
