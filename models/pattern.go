package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// patternModel returns a model that predicts the next symbol after each symbol with a cell
// of h units, as in [stack-rnn]: U is the embedding, and there are no biases. The number of
// symbols is in the parameter vocabulary.
func patternModel(c Cell, hidden, vocabulary int) (*Model, error) {
	name := fmt.Sprintf("language-model %v V=%d", c, vocabulary)
	return checkParts(&Model{Name: name, Vocabulary: vocabulary, Cell: c, Embedding: Embedding{Width: hidden, Init: tenth},
		Readout: Readout{Classes: vocabulary, NoBias: true, Init: tenth}})
}

// tenth describes the initial weights of the networks of [stack-rnn]: normal(0, 0.1).
var tenth = stepgraph.Init{Kind: stepgraph.Normal, B: 0.1}

// emptyCell is the value of an empty cell of a stack or list of [stack-rnn].
const emptyCell = -1

// clipped returns x with each element of its gradient clipped to [-limit, limit]. A
// limit of 0 means none.
func clipped(b *stepgraph.Builder, x *stepgraph.Node, limit float64) *stepgraph.Node {
	if limit == 0 {
		return x
	}
	return b.ClipGrad(x, limit)
}

// clamped returns x clamped to [-limit, limit]. A limit of 0 means none.
func clamped(b *stepgraph.Builder, x *stepgraph.Node, limit float64) *stepgraph.Node {
	if limit == 0 {
		return x
	}
	return b.Clamp(x, limit)
}
