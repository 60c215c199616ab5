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
	Cell       stepgraph.Cell
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

// checked is a cell made of cells, [Layers], by itself or inside another type.
type checked interface{ check() error }

// whole checks the parts of a model. Sizes of a cell are checked when its
// parameters and states are made.
func whole(m *Model) (*Model, error) {
	if m.Cell == nil {
		return nil, fmt.Errorf("models: %s: there is no cell, need one", m.Name)
	}
	if c, ok := m.Cell.(checked); ok {
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("models: %s: %w", m.Name, err)
		}
	}
	for _, size := range []struct {
		what string
		have int
	}{{"vocabulary", m.Vocabulary}, {"embedding width", m.Embedding.Width}, {"number of classes", m.Readout.Classes}} {
		if err := atLeast(1, size.what, size.have); err != nil {
			return nil, fmt.Errorf("models: %s: %w", m.Name, err)
		}
	}
	return m, nil
}

func atLeast(need int, what string, have int) error {
	if have < need {
		return fmt.Errorf("%s is %d, need at least %d", what, have, need)
	}
	return nil
}

// DyckRNN is the Dyck-RNN for k types of brackets nested up to m deep, with
// hand-set frozen numbers for the brackets. It has 1 + 2k trained parameters:
// W_proj 1, W_o k, b_o k.
func DyckRNN(m, k int) (*Model, error) {
	return dyck("dyckrnn", m, k, func() (Embedding, DyckCell) {
		return FixedEmbedding(1, BracketValues(k)), DyckCell{Depth: m, Width: 1, Proj: PositiveProj}
	})
}

// DyckRNN1D is the Dyck-RNN with a trained embedding of one number, which
// [resurgence] reports to fail.
func DyckRNN1D(m, k int) (*Model, error) {
	return dyck("dyckrnn-1d", m, k, func() (Embedding, DyckCell) {
		return NormalEmbedding(1), DyckCell{Depth: m, Width: 1, Proj: AnyProj(1)}
	})
}

// DyckRNN2D is the Dyck-RNN with a trained embedding of two numbers and a stack
// of m pairs: 4k + 2 + 3k parameters, 16 for k = 2.
func DyckRNN2D(m, k int) (*Model, error) {
	return dyck("dyckrnn-2d", m, k, func() (Embedding, DyckCell) {
		return NormalEmbedding(2), DyckCell{Depth: m, Width: 2, Proj: AnyProj(2)}
	})
}

// DyckRNN2DShiftByOne is DyckRNN2D with matrices that shift by one of the 2m
// numbers.
func DyckRNN2DShiftByOne(m, k int) (*Model, error) {
	return dyck("dyckrnn-2d-byone", m, k, func() (Embedding, DyckCell) {
		return NormalEmbedding(2), DyckCell{Depth: m, Width: 2, ByOne: true, Proj: AnyProj(2)}
	})
}

// dyck is a Dyck-RNN that predicts closing brackets.
func dyck(name string, m, k int, parts func() (Embedding, DyckCell)) (*Model, error) {
	name = fmt.Sprintf("%s m=%d k=%d", name, m, k)
	if err := atLeast(1, "m (cells of the stack)", m); err != nil {
		return nil, fmt.Errorf("models: %s: %w", name, err)
	}
	if err := atLeast(2, "k (types of brackets)", k); err != nil {
		return nil, fmt.Errorf("models: %s: %w", name, err)
	}
	embedding, cell := parts()
	return &Model{Name: name, Vocabulary: 2 * k, Embedding: embedding, Cell: cell, Readout: Readout{Classes: k}}, nil
}

// LastState predicts closing brackets of k types from the last state of a cell,
// through a trained embedding of e numbers: the networks that [resurgence] sets
// beside the Dyck-RNN. Their sizes and settings are not stated.
func LastState(cell stepgraph.Cell, k, e int) (*Model, error) {
	name := fmt.Sprintf("last-state %v k=%d e=%d", cell, k, e)
	if err := atLeast(2, "k (types of brackets)", k); err != nil {
		return nil, fmt.Errorf("models: %s: %w", name, err)
	}
	return whole(&Model{Name: name, Vocabulary: 2 * k, Embedding: NormalEmbedding(e), Cell: cell, Readout: Readout{Classes: k}})
}

// LanguageModel predicts each next symbol out of a vocabulary V, through a
// trained embedding of e numbers.
func LanguageModel(cell stepgraph.Cell, vocabulary, e int) (*Model, error) {
	name := fmt.Sprintf("language-model %v V=%d e=%d", cell, vocabulary, e)
	return whole(&Model{Name: name, Vocabulary: vocabulary, Embedding: NormalEmbedding(e), Cell: cell, Readout: Readout{Classes: vocabulary}})
}

// OneHotLanguageModel predicts each next symbol out of a vocabulary V, reading
// the symbols as vectors of V numbers of which one is 1.
func OneHotLanguageModel(cell stepgraph.Cell, vocabulary int) (*Model, error) {
	name := fmt.Sprintf("language-model %v V=%d one-hot", cell, vocabulary)
	identity := make([]float32, max(0, vocabulary)*max(0, vocabulary))
	for i := range max(0, vocabulary) {
		identity[i*vocabulary+i] = 1
	}
	return whole(&Model{Name: name, Vocabulary: vocabulary, Embedding: FixedEmbedding(vocabulary, identity), Cell: cell, Readout: Readout{Classes: vocabulary}})
}
