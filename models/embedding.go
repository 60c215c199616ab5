package models

import "pushdown/harness/stepgraph"

// Embedding is a table E, [V, e]: x_t is the row of the symbol at step t.
type Embedding struct {
	Width   int            // e
	Init    stepgraph.Init // initial values of E
	Frozen  bool           // E keeps its initial values and is not counted
	Dropout float64        // dropout rate on x in training; 0: none
}

// NormalEmbedding returns a trained embedding of width e that starts normal(0, 1).
func NormalEmbedding(e int) Embedding {
	return Embedding{Width: e, Init: stepgraph.Init{Kind: stepgraph.Normal, B: 1}}
}

// UniformEmbedding returns a trained embedding of width e that starts uniform(-r, r).
func UniformEmbedding(e int, r float64) Embedding {
	return Embedding{Width: e, Init: stepgraph.Init{Kind: stepgraph.Uniform, A: -r, B: r}}
}

// FixedEmbedding returns a frozen embedding of width e with the given values, one row
// for each symbol.
func FixedEmbedding(e int, values []float32) Embedding {
	return Embedding{Width: e, Init: stepgraph.Init{Kind: stepgraph.FromValues, Values: values}, Frozen: true}
}

// count returns the number of trained elements of the table, or 0 if the table is frozen.
func (e Embedding) count(vocabulary int) int {
	if e.Frozen {
		return 0
	}
	return vocabulary * e.Width
}

// read adds the table to the graph and returns x, [B, e].
func (e Embedding) read(b *stepgraph.Builder, vocabulary int) *stepgraph.Node {
	table := b.Param(stepgraph.Spec{Name: "E", Rows: vocabulary, Cols: e.Width, Init: e.Init, Frozen: e.Frozen})
	return b.Dropout("dropout.embedding", e.Dropout, b.Gather(table, b.Token()))
}
