package celltest

import (
	"math/rand/v2"
	"slices"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// A Batch holds strings packed for a run: longest first, with the symbols of all strings
// at one time step next to each other.
type Batch struct {
	Active []int     // strings at each time step
	Token  []float64 // the symbols read
	Pick   []float64 // row of Token of each prediction
	Target []float64 // class of each prediction
	Weight []float64 // stepgraph.InputWeight of each prediction
	Label  []float64 // stepgraph.InputLabel of each prediction
}

// A Prediction says what the network predicts in a string, and where. It predicts the class
// Target from the symbols up to the one with the index At.
type Prediction struct{ At, Target int }

// Pack packs strings with their predictions.
func Pack(strings [][]int, predict func(s []int) []Prediction) Batch {
	strings = slices.Clone(strings)
	slices.SortStableFunc(strings, func(x, y []int) int { return len(y) - len(x) })
	var b Batch
	var first []int // packed row of string 0 at each time step
	for t := range strings[0] {
		first = append(first, len(b.Token))
		n := 0
		for _, s := range strings {
			if t < len(s) {
				b.Token = append(b.Token, float64(s[t]))
				n++
			}
		}
		b.Active = append(b.Active, n)
	}
	for i, s := range strings {
		for _, p := range predict(s) {
			b.Pick = append(b.Pick, float64(first[p.At]+i))
			b.Target = append(b.Target, float64(p.Target))
			b.Weight = append(b.Weight, float64(len(b.Pick)%3%2))
			b.Label = append(b.Label, float64(i%2))
		}
	}
	return b
}

// Inputs returns the values of all inputs that a network can read, except the coordinates of
// dropout.
func (b Batch) Inputs() map[string]stepgraph.Mat {
	return map[string]stepgraph.Mat{
		stepgraph.InputToken:           Column(b.Token),
		stepgraph.InputExampleRows:     Column(b.Pick),
		stepgraph.InputTarget:          Column(b.Target),
		stepgraph.InputWeight:          Column(b.Weight),
		stepgraph.InputLabel:           Column(b.Label),
		stepgraph.InputLabelWeight:     Column(b.Label),
		models.InputInverseTemperature: Column([]float64{InverseTemperature}),
	}
}

// InverseTemperature is the reciprocal of the temperature in all tests.
const InverseTemperature = 1.75

// Column returns a matrix of one column.
func Column(x []float64) stepgraph.Mat { return stepgraph.Mat{Rows: len(x), Cols: 1, Data: x} }

// Draw returns values for every parameter of g: random normal values with standard
// deviation sd. A parameter whose initial values are listed in the graph, such as a
// frozen table, has these values.
func Draw(random *rand.Rand, g *stepgraph.Graph, sd float64) map[string]stepgraph.Mat {
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
