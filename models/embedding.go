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

// BracketValues are the hand-set numbers of 2k brackets, e = 1: 1, 2, .. k for
// the opening ones, -1, -2, .. -k for the closing ones. [resurgence] gives no
// values. g is monotone in the number, so opening and closing brackets must lie
// on either side of zero, and opening ones must differ because the top of the
// stack is all that the read-out sees.
func BracketValues(k int) []float32 {
	v := make([]float32, 2*k)
	for i := range k {
		v[i], v[k+i] = float32(i+1), -float32(i+1)
	}
	return v
}

// read adds the table and gives x, [B, e].
func (e Embedding) read(b *stepgraph.Builder, vocabulary int) *stepgraph.Node {
	table := b.Param(stepgraph.Spec{Name: "E", Rows: vocabulary, Cols: e.Width, Init: e.Init, Frozen: e.Frozen})
	return b.Dropout("dropout.embedding", e.Dropout, b.Gather(table, b.Token()))
}
