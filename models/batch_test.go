package models_test

import (
	"math/rand/v2"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
	"pushdown/models"
	"pushdown/models/celltest"
)

type (
	packed     = celltest.Batch
	prediction = celltest.Prediction
)

var (
	pack   = celltest.Pack
	column = celltest.Column
	draw   = celltest.Draw
)

// closings returns a function that lists the predictions of a string. Each closing bracket
// is predicted from the symbols before it. A closing bracket at the start is not
// predicted, because there is no symbol before it.
func closings(k int) func(s []int) []prediction {
	return func(s []int) (list []prediction) {
		for t, v := range s {
			if v >= k && t > 0 {
				list = append(list, prediction{At: t - 1, Target: v - k})
			}
		}
		return list
	}
}

// bounded draws a balanced string of n pairs of brackets of k types, nested up to m
// deep.
func bounded(random *rand.Rand, m, k, n int) (s []int) {
	var open []int
	for opened := 0; opened < n || len(open) > 0; {
		if opened < n && len(open) < m && (len(open) == 0 || random.IntN(2) == 0) {
			open = append(open, random.IntN(k))
			s = append(s, open[len(open)-1])
			opened++
			continue
		}
		s = append(s, k+open[len(open)-1])
		open = open[:len(open)-1]
	}
	return s
}

// build returns the evaluation graph of a network.
func build(t *testing.T, n models.Network, err error) *stepgraph.Graph {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return buildFor(t, n, stepgraph.Config{})
}

func buildFor(t *testing.T, n models.Network, cfg stepgraph.Config) *stepgraph.Graph {
	t.Helper()
	g, err := n.Build(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// about returns the name of a network, the number of symbols it reads and the number
// of classes it predicts.
func about(n models.Sample) (name string, symbols, classes int) {
	switch n := n.Network.(type) {
	case *models.Model:
		return n.Name, n.Vocabulary, n.Readout.Classes
	case *models.Recognizer:
		return n.Name, n.Symbols, n.Symbols
	}
	panic("no such network")
}

// run runs the unrolled graph of g on the batch b.
func run(t *testing.T, g *stepgraph.Graph, b packed, dt tensor.Dtype, params map[string]stepgraph.Mat) *stepgraph.Result {
	t.Helper()
	o, err := stepgraph.Unroll(g, b.Active, len(b.Pick), dt)
	if err != nil {
		t.Fatal(err)
	}
	result, err := o.Run(stepgraph.Values{Params: params, Inputs: b.Inputs()})
	if err != nil {
		t.Fatal(err)
	}
	return result
}
