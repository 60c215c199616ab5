package throughput

import (
	"fmt"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// Case is a language model whose training is measured.
type Case struct {
	Name       string  // a letter
	What       string  // for people
	Cell       string  // lstm, mmrnn
	Hidden     int     // h
	Embedding  int     // e
	Vocabulary int     // V
	Batch      int     // B, strings of an update
	Steps      int     // T, symbols of a string; every one is predicted
	Dropout    float64 // rate on the embedding and on the output of the cell, each by itself
	Carry      bool    // the strings of an update go on where those of the last one ended
}

// Cases are the language models on characters, on words and on WikiText-2 and
// the one on brackets, at the sizes of the papers.
func Cases() []Case {
	return []Case{
		{Name: "a", What: "LSTM on characters", Cell: "lstm", Hidden: 991, Embedding: 128, Vocabulary: 50, Batch: 128, Steps: 50},
		{Name: "b", What: "LSTM on words", Cell: "lstm", Hidden: 125, Embedding: 64, Vocabulary: 10_000, Batch: 128, Steps: 35},
		{Name: "c", What: "LSTM on WikiText-2", Cell: "lstm", Hidden: 600, Embedding: 300, Vocabulary: 33_278, Batch: 64, Steps: 70, Dropout: 0.5, Carry: true},
		{Name: "d", What: "LSTM on brackets", Cell: "lstm", Hidden: 12, Embedding: 30, Vocabulary: 6, Batch: 10, Steps: 84},
		{Name: "e", What: "mmRNN on characters", Cell: "mmrnn", Hidden: 1038, Embedding: 128, Vocabulary: 50, Batch: 128, Steps: 50},
	}
}

// Tokens is the number of symbols of an update.
func (c Case) Tokens() int { return c.Batch * c.Steps }

// String is the case on a line of key=value.
func (c Case) String() string {
	return fmt.Sprintf("case=%s cell=%s h=%d e=%d V=%d B=%d T=%d dropout=%v carry=%v",
		c.Name, c.Cell, c.Hidden, c.Embedding, c.Vocabulary, c.Batch, c.Steps, c.Dropout, c.Carry)
}

// Model is the network.
func (c Case) Model() (*models.Model, error) {
	var cell stepgraph.Cell
	switch c.Cell {
	case "lstm":
		cell = models.LSTM{Hidden: c.Hidden}
	case "mmrnn":
		cell = models.MMRNN{Hidden: c.Hidden}
	default:
		return nil, fmt.Errorf("throughput: case %s: cell %q, want lstm or mmrnn", c.Name, c.Cell)
	}
	m, err := models.LanguageModel(cell, c.Vocabulary, c.Embedding)
	if err != nil {
		return nil, err
	}
	m.Embedding.Dropout, m.Readout.Dropout = c.Dropout, c.Dropout
	return m, nil
}

// FLOPs is what a token costs in training: two for each weight that a product
// multiplies it by on the way forward, and as many again for the gradient by
// each of the two factors.
func (c Case) FLOPs() (float64, error) {
	m, err := c.Model()
	if err != nil {
		return 0, err
	}
	g, err := m.Build(stepgraph.Config{Training: true})
	if err != nil {
		return 0, err
	}
	weights := 0
	for _, n := range g.Nodes() {
		if op := stepgraph.OpOf(n); op != nil && op.Kind == stepgraph.MatMul {
			w := g.InputsOf(n)[1].Shape()
			weights += w[0] * w[1]
		}
	}
	return 6 * float64(weights), nil
}
