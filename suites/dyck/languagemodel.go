package dyck

import (
	"fmt"
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/optim"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/models"
)

// LanguageModel is one row of table 1 of the paper second-order-lstm at one scale: a model
// that predicts each next symbol of the strings. Build makes its run for a seed.
type LanguageModel struct {
	Row suite.RowID `json:"place"`
	Data
	Kind        Kind          `json:"kind"`
	Embedding   int           `json:"embedding"` // width
	Hidden      int           `json:"hidden"`
	Cells       int           `json:"cells"` // of the second-order models; else 1
	Batch       int           `json:"batch"` // strings in an update
	Rule        optim.Rule    `json:"rule"`
	Epochs      int           `json:"epochs"` // maximum
	Plateau     optim.Plateau `json:"plateau"`
	Temperature float64       `json:"temperature"`       // factor on the attention model's temperature after each epoch
	Dropout     float64       `json:"dropout,omitempty"` // rate before the softmax
}

// ID says where the paper publishes the row.
func (e LanguageModel) ID() suite.RowID { return e.Row }

// Kind is the kind of a language model: [Baseline], [Attention], [Assignment], or the name
// of a network of the paper resurgence, such as mmrnn.
type Kind string

// Baseline and Attention are the models of table 1. Assignment is not in the table; the
// authors mention it as a model that they tried before.
const (
	Baseline   Kind = "baseline"
	Attention  Kind = "attention"
	Assignment Kind = "assignment"
)

// second returns the experiment of the paper second-order-lstm for strings of depth m at
// most, with the settings that the paper states.
func second(m int, kind Kind) LanguageModel {
	e := LanguageModel{
		Row:  suite.RowID{Paper: "second-order-lstm", Table: "1", Row: fmt.Sprintf("m%d-%s", m, kind)},
		Data: published(m), Kind: kind, Embedding: embedding, Hidden: 3 * m, Cells: 1,
		Batch: 10, Rule: optim.Rule{Method: optim.Adam, LR: 1e-4}, Epochs: 300,
		Plateau: optim.Plateau{Gain: 1e-4, Patience: 4, Factor: 0.5, Stop: 6},
	}
	if kind != Baseline {
		e.Cells = 2
		e.Row.Row += "2"
	}
	if kind == Attention {
		e.Temperature = 0.9
	}
	return e
}

// faster returns the experiment at a higher learning rate with at most 100 epochs.
func (e LanguageModel) faster(rate float64, name string) LanguageModel {
	e.Row.Task, e.Rule.LR, e.Epochs = name, rate, 100
	return e
}

// Table1 lists the rows of table 1 of the paper second-order-lstm for the given bounds at
// the learning rate that the paper states. It adds the assignment model for each bound.
func Table1(depths ...int) []LanguageModel {
	var list []LanguageModel
	for _, m := range depths {
		for _, kind := range []Kind{Baseline, Attention, Assignment} {
			list = append(list, second(m, kind))
		}
	}
	return list
}

// Rates lists the rows of Table1 at two other learning rates: 1e-2, the rate in the
// public code for bounded Dyck languages, and 1e-3.
func Rates(depths ...int) []LanguageModel {
	var list []LanguageModel
	for _, e := range Table1(depths...) {
		list = append(list, e.faster(1e-2, "lr1e-2"), e.faster(1e-3, "lr1e-3"))
	}
	return list
}

// AnyGain lists the rows of Table1, without the assignment model, with another reading of when a run ends: after six epochs
// without any lower validation loss. The rows of Table1 end after six without one that is lower by 1e-4 of it, which
// is what PyTorch's scheduler of the rate counts as better by default. Cuts of the rate need this gain in both.
func AnyGain(depths ...int) []LanguageModel {
	var list []LanguageModel
	for _, e := range Table1(depths...) {
		if e.Kind != Assignment {
			e.Row.Task, e.Plateau.GainCuts = "any-gain", true
			list = append(list, e)
		}
	}
	return list
}

// Lengths lists the baseline and the attention model for m = 4 on strings of at least 80
// brackets, at the learning rate of the public code. These strings fit the published
// perplexities better than strings of at least 68 brackets.
func Lengths() []LanguageModel {
	var list []LanguageModel
	for _, kind := range []Kind{Baseline, Attention} {
		e := second(4, kind).faster(1e-2, "lr1e-2-min80")
		e.Min, e.Max = 80, formal.MaxFor(4)
		list = append(list, e)
	}
	return list
}

// Reduced lists a short training of each model for m = 4, on fewer strings.
func Reduced() []LanguageModel {
	var list []LanguageModel
	for _, e := range Table1(4) {
		e = e.faster(1e-2, "reduced")
		e.Train, e.Dev, e.Test, e.Epochs = 1_000, 400, 1_000, 4
		list = append(list, e)
	}
	return list
}

// Generators lists the networks of section 5.4 of the paper resurgence, trained as language
// models of strings whose brackets are nested at most m deep, for each m in depths. Each
// network has m units. The settings are those of the paper's language models on text.
func Generators(depths ...int) []LanguageModel {
	var list []LanguageModel
	for _, m := range depths {
		for _, n := range networks {
			list = append(list, LanguageModel{
				Row:  suite.RowID{Paper: "resurgence", Section: "5.4", Row: fmt.Sprintf("dyck-m%d-%s-h%d", m, n.name, m), Task: "language-model"},
				Data: published(m), Kind: Kind(n.name), Embedding: embedding, Hidden: m, Cells: 1,
				Batch: perUpdate, Rule: optim.Rule{Method: optim.Adam, LR: 0.001, ClipNorm: 3.5}, Epochs: 200,
				Plateau: optim.Plateau{Stop: 5}, Dropout: dropout,
			})
		}
	}
	return list
}

// Smoke shrinks an experiment to less than a second. It exercises the pipeline; the
// result means nothing.
func (e LanguageModel) Smoke() LanguageModel {
	e.Train, e.Dev, e.Test, e.Epochs, e.Batch = 60, 20, 20, 2, min(e.Batch, 10)
	return e
}

// model returns the network. sharp makes an attention model choose one cell, as in
// the paper's test; other models ignore it.
func (e LanguageModel) model(sharp bool) (*models.Model, error) {
	vocabulary := formal.BoundedDyck{K: e.K}.Vocabulary()
	cell := models.Cell(models.LSTM{Hidden: e.Hidden}) // for Baseline
	switch e.Kind {
	case Baseline:
	case Attention:
		cell = models.AttentionLSTM{Hidden: e.Hidden, Cells: e.Cells, Sharp: sharp}
	case Assignment:
		cell = models.AssignmentLSTM{Hidden: e.Hidden, Cells: e.Cells, CellOf: models.ByType(e.K, vocabulary)}
	default:
		at := slices.IndexFunc(networks, func(n network) bool { return n.name == string(e.Kind) })
		if at < 0 {
			return nil, fmt.Errorf("dyck: kind of model: have %q, want %s, %s, %s or a network of resurgence", e.Kind, Baseline, Attention, Assignment)
		}
		cell = networks[at].cell(e.Hidden)
	}
	model, err := models.LanguageModel(cell, vocabulary, e.Embedding)
	if err == nil {
		model.Readout.Dropout = e.Dropout
	}
	return model, err
}

// core returns the number of parameters that the paper counts: those of the cells.
func (e LanguageModel) core() int {
	for _, n := range networks {
		if n.name == string(e.Kind) {
			return n.cell(e.Hidden).Count(e.Embedding)
		}
	}
	return e.Cells * models.LSTM{Hidden: e.Hidden}.Count(e.Embedding)
}

// temperature returns the schedule of the attention model's temperature, which is 1 in
// the first epoch. Other models have none.
func (e LanguageModel) temperature() []train.Scalar {
	if e.Kind != Attention {
		return nil
	}
	return []train.Scalar{{Name: "temperature", Inverse: true, Start: 1, Factor: e.Temperature}}
}

// Build returns the run of a seed. Each validation records the WCPA of its strings.
func (e LanguageModel) Build(seed uint64) (*train.Experiment, error) {
	model, err := e.model(false)
	if err != nil {
		return nil, err
	}
	lang, corpus, err := e.Sample(formal.Train)
	if err != nil {
		return nil, err
	}
	_, dev, err := e.Sample(formal.Dev)
	if err != nil {
		return nil, err
	}
	source, err := NewShuffledSentences(corpus, e.Batch, e.Dropout > 0, seed)
	if err != nil {
		return nil, err
	}
	name, err := e.Row.Name(int(seed))
	if err != nil {
		return nil, err
	}
	valid := NewSentences(lang, dev, evalStrings)
	return &train.Experiment{
		Name: string(name), About: e, Build: model.Build, Train: source, Valid: valid, Observe: valid.observe,
		Seed: seed, Rule: e.Rule, Plateau: e.Plateau, MaxUpdates: e.Epochs * source.PerEpoch(), Best: true,
		Scalars: e.temperature(), GradScale: e.gradScale(),
	}, nil
}

// gradScale returns the exponent of the loss scale: for the backward pass, the loss is multiplied
// by 2 to this power. The temperature of an attention model falls during training and drives some
// attention weights to zero. Without the scale, the gradients of these weights would become
// subnormal numbers, and updates would take up to twenty times as long.
func (e LanguageModel) gradScale() int {
	if e.Kind != Attention {
		return 0
	}
	return gradScale
}
