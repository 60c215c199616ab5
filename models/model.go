package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// Model is a network: an embedding, a cell, a read-out.
type Model struct {
	Name       string // for messages; no digest depends on it
	Vocabulary int    // V: tokens are 0 to V-1
	Embedding  Embedding
	Cell       Cell
	Readout    Readout
}

// Build returns the step graph, without gradients. The parameters are in the order E,
// those of the cell, W_o, b_o.
func (m *Model) Build(cfg stepgraph.Config) (*stepgraph.Graph, error) {
	if _, err := checkParts(m); err != nil {
		return nil, err
	}
	g, err := stepgraph.Build(cfg, func(b *stepgraph.Builder) {
		m.Readout.predict(b, b.Cell(m.Cell, m.Embedding.read(b, m.Vocabulary)))
	})
	if err != nil {
		return nil, fmt.Errorf("models: %s: %w", m.Name, err)
	}
	return g, nil
}

// Count returns the number of trained parameters by the formulas of the parts.
func (m *Model) Count() int {
	return m.Embedding.count(m.Vocabulary) + m.Cell.Count(m.Embedding.Width) + m.Readout.count(m.Cell.Output())
}

// checked is a cell that checks its own sizes or, in the case of [Layers], its cells.
type checked interface{ check() error }

// checkParts returns m, or an error if its parts are invalid. The sizes of a cell without a
// check method are checked when its parameters and states are built.
func checkParts(m *Model) (*Model, error) {
	if m.Cell == nil {
		return nil, fmt.Errorf("models: %s: there is no cell, want one", m.Name)
	}
	if c, ok := m.Cell.(checked); ok {
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("models: %s: %w", m.Name, err)
		}
	}
	if r, ok := m.Cell.(Reader); ok && r.Inputs() != m.Embedding.Width {
		return nil, fmt.Errorf("models: %s: have an embedding of width %d, want %d, which the cell reads", m.Name, m.Embedding.Width, r.Inputs())
	}
	err := checkSizes(size{"vocabulary", 1, m.Vocabulary}, size{"embedding width", 1, m.Embedding.Width}, size{"number of classes", 1, m.Readout.Classes})
	if err != nil {
		return nil, fmt.Errorf("models: %s: %w", m.Name, err)
	}
	return m, nil
}

// LastState returns a model that predicts closing brackets of k types from the output
// of a cell after the last symbol read, with a trained embedding of width e. Such
// models are the baselines of the Dyck-RNN in [resurgence]. The paper does not state
// their sizes and settings.
func LastState(cell Cell, k, e int) (*Model, error) {
	name := fmt.Sprintf("last-state %v k=%d e=%d", cell, k, e)
	if err := checkSizes(size{"k (types of brackets)", 2, k}); err != nil {
		return nil, fmt.Errorf("models: %s: %w", name, err)
	}
	return checkParts(&Model{Name: name, Vocabulary: 2 * k, Embedding: NormalEmbedding(e), Cell: cell, Readout: Readout{Classes: k}})
}

// LanguageModel returns a model that predicts the next symbol after each symbol.
// The vocabulary has V symbols, and the trained embedding has width e.
func LanguageModel(cell Cell, vocabulary, e int) (*Model, error) {
	name := fmt.Sprintf("language-model %v V=%d e=%d", cell, vocabulary, e)
	return checkParts(&Model{Name: name, Vocabulary: vocabulary, Embedding: NormalEmbedding(e), Cell: cell, Readout: Readout{Classes: vocabulary}})
}

// OneHotLanguageModel returns a model that predicts the next symbol after each
// symbol and reads the symbols as one-hot vectors. The vocabulary has V symbols.
func OneHotLanguageModel(cell Cell, vocabulary int) (*Model, error) {
	name := fmt.Sprintf("language-model %v V=%d one-hot", cell, vocabulary)
	identity := make([]float32, max(0, vocabulary)*max(0, vocabulary))
	for i := range max(0, vocabulary) {
		identity[i*vocabulary+i] = 1
	}
	return checkParts(&Model{Name: name, Vocabulary: vocabulary, Embedding: FixedEmbedding(vocabulary, identity), Cell: cell, Readout: Readout{Classes: vocabulary}})
}
