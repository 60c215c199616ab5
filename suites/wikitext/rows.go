package wikitext

import (
	"fmt"

	"pushdown/harness/optim"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
	"pushdown/models"
	"pushdown/suites/lm"
)

// Model is a row of table 2 of the paper second-order-lstm: a language model that reads the
// text as a stream, in columns. Build makes its run for a seed.
type Model struct {
	Row         suite.RowID   `json:"place"`
	Corpus      string        `json:"corpus"` // wikitext-2 or shakespeare
	Cells       int           `json:"cells"`  // of the attention model; 1: an LSTM
	Hidden      int           `json:"hidden"`
	Embedding   int           `json:"embedding"` // width
	Dropout     float64       `json:"dropout"`   // rate on the embeddings and before the softmax
	Columns     int           `json:"columns"`   // columns into which each part of the text is divided
	Steps       int           `json:"steps"`     // steps of all columns in an update; a gradient goes back no further
	Rule        optim.Rule    `json:"rule"`
	Epochs      int           `json:"epochs"` // maximum
	Plateau     optim.Plateau `json:"plateau"`
	Temperature float64       `json:"temperature"`    // factor on the attention model's temperature after each epoch
	Limit       int           `json:"limit,omitzero"` // number of tokens of each part; 0: all
}

// Table2 lists the rows of table 2 of the paper second-order-lstm, with the settings that the
// paper states. The paper has no bound for the gradient; see the package comment.
func Table2() []Model {
	var list []Model
	for _, cells := range []int{1, 2, 5} {
		row := "wt2-baseline"
		if cells > 1 {
			row = fmt.Sprintf("wt2-attention%d", cells)
		}
		list = append(list, Model{
			Row:    suite.RowID{Paper: "second-order-lstm", Table: "2", Row: row},
			Corpus: "wikitext-2", Cells: cells, Hidden: 600, Embedding: 300, Dropout: 0.5, Columns: 64, Steps: 70,
			Rule: optim.Rule{Method: optim.Adam, LR: 1e-4, ClipNorm: 1}, Epochs: 300,
			Plateau: optim.Plateau{Gain: 1e-4, Patience: 4, Factor: 0.5, Stop: 6}, Temperature: 0.9,
		})
	}
	return list
}

// Faster lists the rows of Table2 at a learning rate of 1e-3, that of the program from which
// the authors of the paper started.
func Faster() []Model {
	list := Table2()
	for i := range list {
		e := &list[i]
		e.Row.Task, e.Rule.LR = "lr1e-3", 1e-3
	}
	return list
}

// Embedded lists small models on the embedded text, which they read twice.
func Embedded() []Model {
	list := Table2()
	for i := range list {
		e := &list[i]
		e.Row.Task, e.Corpus, e.Rule.LR, e.Epochs = "shakespeare", "shakespeare", 0.01, 2
		e.Hidden, e.Embedding, e.Columns, e.Steps, e.Dropout = 12, 8, 16, 35, 0.1
	}
	return list
}

// Smoke shrinks an experiment to less than a second. It exercises the pipeline; the
// result means nothing.
func (e Model) Smoke() Model {
	e.Corpus, e.Limit, e.Epochs = "shakespeare", 400, 2
	e.Hidden, e.Embedding, e.Columns, e.Steps = 12, 8, 4, 10
	return e
}

// FirstEpoch returns the row whose runs end after the first epoch of those of e.
func (e Model) FirstEpoch() Model {
	e.Row.Task, e.Epochs = verdict.FirstEpoch, 1
	return e
}

// ID says where the paper publishes the row.
func (e Model) ID() suite.RowID { return e.Row }

// Network returns the network for a vocabulary of the given size. sharp makes an attention
// model choose one cell, as in the paper's test; an LSTM ignores it.
func (e Model) Network(vocabulary int, sharp bool) (*models.Model, error) {
	if e.Cells == 1 {
		return e.network(models.LSTM{Hidden: e.Hidden}, vocabulary)
	}
	return e.network(models.AttentionLSTM{Hidden: e.Hidden, Cells: e.Cells, Sharp: sharp}, vocabulary)
}

// network returns the network with a given cell.
func (e Model) network(cell models.Cell, vocabulary int) (*models.Model, error) {
	m, err := models.LanguageModel(cell, vocabulary, e.Embedding)
	if err == nil {
		m.Embedding.Dropout, m.Readout.Dropout, m.Readout.LossOnly = e.Dropout, e.Dropout, true
	}
	return m, err
}

// gradScale is the exponent of the loss scale of an attention model: for the backward pass, the
// loss is multiplied by 2^gradScale. The falling temperature drives some attention weights to
// zero. Without the scale, their gradients would become subnormal numbers, which are slow.
const gradScale = 64

// Build returns the run of a seed.
func (e Model) Build(seed uint64) (*train.Experiment, error) {
	t, err := lm.Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	if e.Cells < 1 || !(e.Dropout >= 0 && e.Dropout < 1) {
		return nil, fmt.Errorf("wikitext: %s: have %d cells and dropout %v, want at least 1 cell, and dropout of 0 or more and less than 1", e.Row.Row, e.Cells, e.Dropout)
	}
	model, err := e.Network(t.Len(), false)
	if err != nil {
		return nil, err
	}
	name, err := e.Row.Name(int(seed))
	if err != nil {
		return nil, err
	}
	x := &train.Experiment{Name: string(name), About: e, Build: model.Build, Seed: seed, Rule: e.Rule, Plateau: e.Plateau, Best: true}
	if e.Cells > 1 {
		x.Scalars, x.GradScale = []train.Scalar{e.temperature()}, gradScale
	}
	return x, lm.ReadColumns(x, t, e.Limit, e.Columns, e.Steps, e.Epochs)
}

// temperature returns the schedule of an attention model's temperature, which is 1 in the
// first epoch.
func (e Model) temperature() train.Scalar {
	return train.Scalar{Name: "temperature", Inverse: true, Start: 1, Factor: e.Temperature}
}
