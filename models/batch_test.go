package models_test

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// packed holds strings packed for a run: longest first, with the symbols of all strings
// at one time step next to each other.
type packed struct {
	active        []int
	token         []float64
	pick, targets []float64
	weight, label []float64 // one of each per prediction
}

// prediction says what the network predicts in a string, and where. It predicts the class
// target from the symbols up to the one with the index at.
type prediction struct{ at, target int }

// pack packs strings with their predictions.
func pack(strings [][]int, predict func(s []int) []prediction) packed {
	strings = slices.Clone(strings)
	slices.SortStableFunc(strings, func(x, y []int) int { return len(y) - len(x) })
	var b packed
	var first []int // packed row of string 0 at each time step
	for t := range strings[0] {
		first = append(first, len(b.token))
		n := 0
		for _, s := range strings {
			if t < len(s) {
				b.token = append(b.token, float64(s[t]))
				n++
			}
		}
		b.active = append(b.active, n)
	}
	for i, s := range strings {
		for _, p := range predict(s) {
			b.pick = append(b.pick, float64(first[p.at]+i))
			b.targets = append(b.targets, float64(p.target))
			b.weight = append(b.weight, float64(len(b.pick)%3%2))
			b.label = append(b.label, float64(i%2))
		}
	}
	return b
}

func (b packed) inputs() map[string]stepgraph.Mat {
	return map[string]stepgraph.Mat{
		stepgraph.InputToken:           column(b.token),
		stepgraph.InputExampleRows:     column(b.pick),
		stepgraph.InputTarget:          column(b.targets),
		stepgraph.InputWeight:          column(b.weight),
		stepgraph.InputLabel:           column(b.label),
		stepgraph.InputLabelWeight:     column(b.label),
		models.InputInverseTemperature: column([]float64{inverseTemperature}),
	}
}

// inverseTemperature is the reciprocal of the temperature in all tests.
const inverseTemperature = 1.75

// column returns a matrix of one column.
func column(x []float64) stepgraph.Mat { return stepgraph.Mat{Rows: len(x), Cols: 1, Data: x} }

// closings returns a function that lists the predictions of a string. Each closing bracket
// is predicted from the symbols before it. A closing bracket at the start is not
// predicted, because there is no symbol before it.
func closings(k int) func(s []int) []prediction {
	return func(s []int) (list []prediction) {
		for t, v := range s {
			if v >= k && t > 0 {
				list = append(list, prediction{t - 1, v - k})
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

// seed returns a seed that depends on the name of the network alone.
func seed(n models.Sample) uint64 {
	h := fnv.New64a()
	h.Write([]byte(n.Name))
	return h.Sum64()
}

// run runs the unrolled graph of g on the batch b.
func run(t *testing.T, g *stepgraph.Graph, b packed, dt tensor.Dtype, params map[string]stepgraph.Mat) *stepgraph.Result {
	t.Helper()
	o, err := stepgraph.Unroll(g, b.active, len(b.pick), dt)
	if err != nil {
		t.Fatal(err)
	}
	result, err := o.Run(stepgraph.Values{Params: params, Inputs: b.inputs()})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// draw returns values for every parameter of g: random normal values with standard
// deviation sd. A parameter whose initial values are listed in the graph, such as a
// frozen table, has these values.
func draw(random *rand.Rand, g *stepgraph.Graph, sd float64) map[string]stepgraph.Mat {
	values := map[string]stepgraph.Mat{}
	for _, p := range g.Params {
		m := stepgraph.NewMat(p.Rows, p.Cols)
		for i := range m.Data {
			if p.Init.Kind == stepgraph.FromValues {
				m.Data[i] = float64(p.Init.Values[i])
			} else {
				m.Data[i] = sd * random.NormFloat64()
			}
		}
		values[p.Name] = m
	}
	return values
}
