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

// LanguageModel is one row of table 1 of second-order-lstm at one scale, for any
// seed: a model that predicts each next symbol of the strings.
type LanguageModel struct {
	Row suite.Place `json:"place"`
	Data
	Kind        Kind          `json:"kind"`
	Embedding   int           `json:"embedding"` // numbers of the embedding
	Hidden      int           `json:"hidden"`
	Cells       int           `json:"cells"` // of the second-order models
	Batch       int           `json:"batch"` // strings in an update
	Rule        optim.Rule    `json:"rule"`
	Epochs      int           `json:"epochs"` // most
	Plateau     optim.Plateau `json:"plateau"`
	Temperature float64       `json:"temperature"`       // factor of an epoch on that of the attention model
	Dropout     float64       `json:"dropout,omitempty"` // rate before the softmax
}

// Place says where the paper publishes the row.
func (e LanguageModel) Place() suite.Place { return e.Row }

// Kind is what a language model is made of: one of those below, or a network of
// resurgence, such as mmrnn.
type Kind string

// The models of the table, and the one that the paper tried before.
const (
	Baseline   Kind = "baseline"
	Attention  Kind = "attention"
	Assignment Kind = "assignment"
)

// second returns the experiment of second-order-lstm for a bound, as the paper
// states it.
func second(m int, kind Kind) LanguageModel {
	e := LanguageModel{
		Row:  suite.Place{Paper: "second-order-lstm", Table: "1", Row: fmt.Sprintf("m%d-%s", m, kind)},
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

// faster is the experiment at a higher rate, with fewer epochs.
func (e LanguageModel) faster(rate float64, name string) LanguageModel {
	e.Row.Task, e.Rule.LR, e.Epochs = name, rate, 100
	return e
}

// Table1 lists the rows of table 1 of second-order-lstm for the given bounds at
// the rate that the paper states, and beside each pair the assignment model.
func Table1(depths ...int) []LanguageModel {
	var list []LanguageModel
	for _, m := range depths {
		for _, kind := range []Kind{Baseline, Attention, Assignment} {
			list = append(list, second(m, kind))
		}
	}
	return list
}

// Rates lists the same rows at the two rates that stand beside the stated one:
// that of the public code of the language, 1e-2, and 1e-3.
func Rates(depths ...int) []LanguageModel {
	var list []LanguageModel
	for _, e := range Table1(depths...) {
		list = append(list, e.faster(1e-2, "lr1e-2"), e.faster(1e-3, "lr1e-3"))
	}
	return list
}

// Lengths lists the two models of the table for m = 4 on strings of at least 80
// brackets, which fit the published perplexities better than those of 68, at the
// rate of the public code.
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

// Generators lists the networks of section 5.4 of resurgence with m units, trained to
// predict every next symbol as its section 4.1 has it, "over the m-bounded Dyck-2
// language", with the settings of its section 5.3.
func Generators(depths ...int) []LanguageModel {
	var list []LanguageModel
	for _, m := range depths {
		for _, n := range networks {
			list = append(list, LanguageModel{
				Row:  suite.Place{Paper: "resurgence", Section: "5.4", Row: fmt.Sprintf("dyck-m%d-%s-h%d", m, n.name, m), Task: "language-model"},
				Data: published(m), Kind: Kind(n.name), Embedding: embedding, Hidden: m, Cells: 1,
				Batch: perUpdate, Rule: optim.Rule{Method: optim.Adam, LR: 0.001, ClipNorm: 3.5}, Epochs: 200,
				Plateau: optim.Plateau{Stop: 5}, Dropout: dropout,
			})
		}
	}
	return list
}

// Smoke shrinks an experiment to a moment: the pipeline, not the result.
func (e LanguageModel) Smoke() LanguageModel {
	e.Train, e.Dev, e.Test, e.Epochs, e.Batch = 60, 20, 20, 2, min(e.Batch, 10)
	return e
}

// model is the network; sharp is how an attention model is tested.
func (e LanguageModel) model(sharp bool) (*models.Model, error) {
	vocabulary := formal.BoundedDyck{K: e.K}.Vocabulary()
	cell := models.Cell(models.LSTM{Hidden: e.Hidden}) // of the baseline
	switch e.Kind {
	case Baseline:
	case Attention:
		cell = models.AttentionLSTM{Hidden: e.Hidden, Cells: e.Cells, Sharp: sharp}
	case Assignment:
		cell = models.AssignmentLSTM{Hidden: e.Hidden, Cells: e.Cells, Of: models.ByType(e.K, vocabulary)}
	default:
		at := slices.IndexFunc(networks, func(n network) bool { return n.name == string(e.Kind) })
		if at < 0 {
			return nil, fmt.Errorf("dyck: a model is of kind %q, want %s, %s, %s or a network of resurgence", e.Kind, Baseline, Attention, Assignment)
		}
		cell = networks[at].cell(e.Hidden)
	}
	model, err := models.LanguageModel(cell, vocabulary, e.Embedding)
	if err == nil {
		model.Readout.Dropout = e.Dropout
	}
	return model, err
}

// core is the number of parameters that the paper counts: those of the cells.
func (e LanguageModel) core() int {
	for _, n := range networks {
		if n.name == string(e.Kind) {
			return n.cell(e.Hidden).Count(e.Embedding)
		}
	}
	return e.Cells * models.LSTM{Hidden: e.Hidden}.Count(e.Embedding)
}

// temperature is the schedule of the attention model: 1 in the first epoch.
func (e LanguageModel) temperature() []train.Scalar {
	if e.Kind != Attention {
		return nil
	}
	return []train.Scalar{{Name: "temperature", Inverse: true, Start: 1, Factor: e.Temperature}}
}

// Build makes the run of a seed. Each validation keeps the WCPA of its strings.
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

// gradScale keeps the gradients of an attention model normal where a falling
// temperature makes a weight tiny before it is zero. Without it updates take up to
// twenty times as long in those epochs.
func (e LanguageModel) gradScale() int {
	if e.Kind != Attention {
		return 0
	}
	return gradScale
}
