package models

import "pushdown/harness/stepgraph"

// Embedding is a table E, [V, e]: x_t is the row of the symbol read at t.
type Embedding struct {
	Width   int            // e
	Init    stepgraph.Init // of E
	Frozen  bool           // E keeps its initial values and is not counted
	Dropout float64        // rate on x in training; 0: none
}

// NormalEmbedding is a trained table that starts normal(0, 1).
func NormalEmbedding(e int) Embedding {
	return Embedding{Width: e, Init: stepgraph.Init{Kind: stepgraph.Normal, B: 1}}
}

// FixedEmbedding is a frozen table of the given values, a row of e numbers for
// each symbol.
func FixedEmbedding(e int, values []float32) Embedding {
	return Embedding{Width: e, Init: stepgraph.Init{Kind: stepgraph.Given, Values: values}, Frozen: true}
}

// count is V e, unless the table is frozen.
func (e Embedding) count(vocabulary int) int {
	if e.Frozen {
		return 0
	}
	return vocabulary * e.Width
}

// read adds the table and gives x, [B, e].
func (e Embedding) read(b *stepgraph.Builder, vocabulary int) *stepgraph.Node {
	table := b.Param(stepgraph.Spec{Name: "E", Rows: vocabulary, Cols: e.Width, Init: e.Init, Frozen: e.Frozen})
	return b.Dropout("dropout.embedding", e.Dropout, b.Gather(table, b.Token()))
}
