package models

import (
	"fmt"

	"pushdown/harness/stepgraph"
)

// Model is a network: an embedding, a cell, a read-out.
type Model struct {
	Name       string // for people; no digest depends on it
	Vocabulary int    // V: tokens are 0 to V-1
	Embedding  Embedding
	Cell       Cell
	Readout    Readout
}

// Build makes the step graph, without gradient. Parameters stand in the order
// E, those of the cell, W_o, b_o.
func (m *Model) Build(cfg stepgraph.Config) (*stepgraph.Graph, error) {
	if _, err := whole(m); err != nil {
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

// checked is a cell made of cells, [Layers], by itself or inside another type.
type checked interface{ check() error }

// whole checks the parts of a model. Sizes of a cell are checked when its
// parameters and states are made.
func whole(m *Model) (*Model, error) {
	if m.Cell == nil {
		return nil, fmt.Errorf("models: %s: there is no cell, want one", m.Name)
	}
	if c, ok := m.Cell.(checked); ok {
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("models: %s: %w", m.Name, err)
		}
	}
	err := enough(size{"vocabulary", 1, m.Vocabulary}, size{"embedding width", 1, m.Embedding.Width}, size{"number of classes", 1, m.Readout.Classes})
	if err != nil {
		return nil, fmt.Errorf("models: %s: %w", m.Name, err)
	}
	return m, nil
}

// LastState predicts closing brackets of k types from the last state of a cell,
// through a trained embedding of e numbers: the networks that [resurgence] sets
// beside the Dyck-RNN. Their sizes and settings are not stated.
func LastState(cell Cell, k, e int) (*Model, error) {
	name := fmt.Sprintf("last-state %v k=%d e=%d", cell, k, e)
	if err := enough(size{"k (types of brackets)", 2, k}); err != nil {
		return nil, fmt.Errorf("models: %s: %w", name, err)
	}
	return whole(&Model{Name: name, Vocabulary: 2 * k, Embedding: NormalEmbedding(e), Cell: cell, Readout: Readout{Classes: k}})
}

// LanguageModel predicts each next symbol out of a vocabulary V, through a
// trained embedding of e numbers.
func LanguageModel(cell Cell, vocabulary, e int) (*Model, error) {
	name := fmt.Sprintf("language-model %v V=%d e=%d", cell, vocabulary, e)
	return whole(&Model{Name: name, Vocabulary: vocabulary, Embedding: NormalEmbedding(e), Cell: cell, Readout: Readout{Classes: vocabulary}})
}

// OneHotLanguageModel predicts each next symbol out of a vocabulary V, reading
// the symbols as vectors of V numbers of which one is 1.
func OneHotLanguageModel(cell Cell, vocabulary int) (*Model, error) {
	name := fmt.Sprintf("language-model %v V=%d one-hot", cell, vocabulary)
	identity := make([]float32, max(0, vocabulary)*max(0, vocabulary))
	for i := range max(0, vocabulary) {
		identity[i*vocabulary+i] = 1
	}
	return whole(&Model{Name: name, Vocabulary: vocabulary, Embedding: FixedEmbedding(vocabulary, identity), Cell: cell, Readout: Readout{Classes: vocabulary}})
}
