package wordlm

import (
	"fmt"

	"pushdown/corpora/text"
	"pushdown/harness/batch"
	"pushdown/harness/kernel"
	"pushdown/harness/optim"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
	"pushdown/models"
)

// Sentences is a row of table 2 of the paper resurgence: a language model that reads
// sentences one by one. Build makes its run for a seed.
type Sentences struct {
	Row       suite.Place   `json:"place"`
	Corpus    string        `json:"corpus"` // a key of corpora
	Network   string        `json:"network"`
	Hidden    int           `json:"hidden"`
	Layers    int           `json:"layers"`
	Embedding int           `json:"embedding"` // width
	Dropout   float64       `json:"dropout"`   // rate before the softmax
	Batch     int           `json:"batch"`     // sentences in an update
	Rule      optim.Rule    `json:"rule"`
	Epochs    int           `json:"epochs"` // maximum
	Plateau   optim.Plateau `json:"plateau"`
	Limit     int           `json:"limit,omitempty"` // number of sentences of each part; 0: all
}

// cells has the cells of the paper resurgence by name. h is the number of hidden units.
var cells = map[string]func(h int) models.Cell{
	"rnn":    func(h int) models.Cell { return models.RNN{Hidden: h} },
	"lstm":   func(h int) models.Cell { return models.LSTM{Hidden: h} },
	"mmrnn":  func(h int) models.Cell { return models.MMRNN{Hidden: h} },
	"mmlstm": func(h int) models.Cell { return models.MMLSTM{Hidden: h} },
}

// Table2 lists the rows on words in table 2 of the paper resurgence, with the numbers of
// hidden units from table 1.
func Table2() []Sentences {
	var list []Sentences
	for _, r := range []struct {
		network        string
		layers, hidden int
	}{{"rnn", 1, 133}, {"mmrnn", 1, 128}, {"lstm", 1, 125}, {"mmlstm", 1, 112}, {"lstm", 2, 115}, {"mmlstm", 2, 97}} {
		list = append(list, Sentences{
			Row:    suite.Place{Paper: "resurgence", Table: "2", Row: fmt.Sprintf("word-%s-%d", r.network, r.layers)},
			Corpus: "ptb", Network: r.network, Hidden: r.hidden, Layers: r.layers, Embedding: 64, Dropout: 0.25, Batch: 128,
			Rule: optim.Rule{Method: optim.Adam, LR: 0.001, ClipNorm: 3.5}, Epochs: 200, Plateau: optim.Plateau{Stop: 5},
		})
	}
	return list
}

// Embedded lists the rows of Table2 on the embedded text, which has about 4 per cent as
// many words as the Penn Treebank. The rows have smaller batches, a higher learning rate,
// and two epochs.
func Embedded() []Sentences {
	list := Table2()
	for i := range list {
		e := &list[i]
		e.Row.Task, e.Corpus, e.Batch, e.Rule.LR, e.Epochs = "shakespeare", "shakespeare", 16, 0.01, 2
	}
	return list
}

// Smoke shrinks an experiment to less than a second. It exercises the pipeline; the
// result means nothing.
func (e Sentences) Smoke() Sentences {
	e.Corpus, e.Limit, e.Batch, e.Epochs = "shakespeare", 40, 8, 2
	e.Hidden, e.Embedding = 12, 8
	return e
}

// FirstEpoch returns the row of the runs that make only the first epoch of e.
func (e Sentences) FirstEpoch() Sentences {
	e.Row.Task, e.Epochs = verdict.FirstEpoch, 1
	return e
}

// Place returns the place of the row in the paper.
func (e Sentences) Place() suite.Place { return e.Row }

// dataset returns a dataset of the sentences of a part. The model predicts the words and
// <eos> of each sentence.
func (e Sentences) dataset(p *text.Part[int32]) batch.Dataset[int32] {
	d := batch.Dataset[int32]{Text: p.String, List: batch.Whole(p.Len(), p.Input), Fill: batch.PredictNext[int32]}
	if e.Limit > 0 {
		d.List = d.List[:min(e.Limit, len(d.List))]
	}
	return d
}

// model returns the network for a vocabulary.
func (e Sentences) model(vocabulary int) (*models.Model, error) {
	of, ok := cells[e.Network]
	if !ok {
		return nil, fmt.Errorf("wordlm: have the network %q, want rnn, lstm, mmrnn or mmlstm", e.Network)
	}
	cell := of(e.Hidden)
	if e.Layers > 1 {
		var layers models.Layers
		for range e.Layers {
			layers.Cells = append(layers.Cells, cell)
		}
		cell = layers
	}
	model, err := models.LanguageModel(cell, vocabulary, e.Embedding)
	if err == nil {
		model.Readout.Dropout, model.Readout.LossOnly = e.Dropout, true
	}
	return model, err
}

// evalSentences is the number of sentences evaluated at a time.
const evalSentences = 128

// Build returns the run of a seed.
func (e Sentences) Build(seed uint64) (*train.Experiment, error) {
	t, err := words(e.Corpus)
	if err != nil {
		return nil, err
	}
	model, err := e.model(t.Len())
	if err != nil {
		return nil, err
	}
	name, err := e.Row.Name(int(seed))
	if err != nil {
		return nil, err
	}
	source, err := e.dataset(t.Train).Random().Shuffled(e.Batch, seed)
	if err != nil {
		return nil, fmt.Errorf("wordlm: %s: %w", name, err)
	}
	return &train.Experiment{
		Name: string(name), About: e, Build: model.Build, Train: source, Valid: e.dataset(t.Valid).Set(evalSentences),
		Seed: seed, Rule: e.Rule, Plateau: e.Plateau, MaxUpdates: e.Epochs * source.PerEpoch(), Best: true,
	}, nil
}

// Measure measures the result of a run on the test sentences.
func (e Sentences) Measure(dev kernel.Device, x *train.Experiment, res *train.Result) (*suite.Measured, error) {
	t, err := words(e.Corpus)
	if err != nil {
		return nil, err
	}
	test, err := train.Evaluate(x.Build, dev, e.dataset(t.Test).Set(evalSentences), x.Seed, res.Params, nil)
	if err != nil {
		return nil, err
	}
	return measured(x, res, test), nil
}

// Trace returns nothing: no figure shows these runs.
func (e Sentences) Trace(kernel.Device, *train.Experiment, *train.Result, *suite.Measured) ([]traces.Line, error) {
	return nil, nil
}
