package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// patternModel predicts each next symbol out of a vocabulary V with a cell of h
// units, as [stack-rnn] does: U is the embedding, and no map has a bias.
func patternModel(c Cell, hidden, vocabulary int) (*Model, error) {
	name := fmt.Sprintf("language-model %v V=%d", c, vocabulary)
	return whole(&Model{Name: name, Vocabulary: vocabulary, Cell: c, Embedding: Embedding{Width: hidden, Init: tenth},
		Readout: Readout{Classes: vocabulary, NoBias: true, Init: tenth}})
}

// tenth starts the weights of the networks of [stack-rnn]: normal(0, 0.1).
var tenth = stepgraph.Init{Kind: stepgraph.Normal, B: 0.1}

// emptyCell is what an empty cell of a stack or list of [stack-rnn] holds.
const emptyCell = -1

// clipped is x, whose gradient is kept within the limit; 0 is none.
func clipped(b *stepgraph.Builder, x *stepgraph.Node, limit float64) *stepgraph.Node {
	if limit == 0 {
		return x
	}
	return b.ClipGrad(x, limit)
}

// held is x within the limit; 0 is none.
func held(b *stepgraph.Builder, x *stepgraph.Node, limit float64) *stepgraph.Node {
	if limit == 0 {
		return x
	}
	return b.Clamp(x, limit)
}
