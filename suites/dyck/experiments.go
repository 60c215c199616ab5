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

// Experiment is one row of a table at one scale. Build makes its run for a seed.
type Experiment struct {
	Row   suite.RowID                           `json:"place"`
	Model func(m, k int) (*models.Model, error) `json:"-"`
	Name  string                                `json:"model"`
	Data
	Batch      int        `json:"batch"` // examples in an update
	Rule       optim.Rule `json:"rule"`
	CheckEvery int        `json:"check_every"` // updates between validations; 0: an epoch
	MaxUpdates int        `json:"max_updates"`
	Below      float64    `json:"below"` // dev loss in nats at which training stops; 0: none
	GradScale  int        `json:"grad_scale"`

	// If Whole is set, each string is read once and every closing bracket in it is an
	// example. Otherwise each example is a prefix that is read separately.
	Whole   bool    `json:"whole,omitempty"`
	Epochs  int     `json:"epochs,omitempty"`  // maximum; 0: MaxUpdates limits the run instead
	Dropout float64 `json:"dropout,omitempty"` // rate before the softmax, in Model
	Stop    int     `json:"stop,omitempty"`    // validations without a new best after which training stops and keeps the best parameters; 0: none
}

// ID says where the paper publishes the row.
func (e Experiment) ID() suite.RowID { return e.Row }

// gradScale is the exponent of the loss scale of the Dyck-RNN: for the backward pass, the
// loss is multiplied by 2^gradScale. This keeps the gradients of a nearly perfect stack
// from becoming subnormal numbers, with which a processor is slow. For example, the
// gradient of a stack cell can be an error of 1e-5 times up to m gates, each of which is
// between 1e-7 and 1e-3.
const gradScale = 64

// evalStrings is the number of strings evaluated at a time. Their states fit a
// second-level cache.
const evalStrings = 128

// threshold is the printed bound of the development loss. Training of the Dyck-RNN stops
// when the loss is below it.
const threshold = 1e-5

// resurgence returns an experiment with the settings that all Dyck-RNN experiments for m
// share. Training stops when the sum of the mean losses of all batches, divided by the
// number of examples, is below the printed threshold. A batch has 512 examples. So the mean
// loss of an example can be up to 512 times the threshold.
func resurgence(m int) Experiment {
	const batch = 512
	return Experiment{
		Data: published(m), Batch: batch, Rule: optim.Rule{Method: optim.Adam, LR: 0.01},
		MaxUpdates: 30_000, Below: batch * threshold, GradScale: gradScale,
	}
}

// Literal returns the experiments with another reading of the printed threshold: training
// stops when the mean loss of an example is below the threshold. The loss is checked every
// 500 updates.
func Literal(list []Experiment) []Experiment {
	list = slices.Clone(list)
	for i := range list {
		list[i].Row.Task, list[i].CheckEvery, list[i].Below = "literal", 500, threshold
	}
	return list
}

// depths are the bounds m in both papers.
var depths = []int{4, 6, 8}

// Table2 lists the Dyck rows of table 2 of the paper resurgence. Table 1 of that paper
// prints the epochs and minutes of the same networks, so the verdicts on table 1 use
// these rows too.
func Table2() []Experiment {
	var list []Experiment
	for _, m := range depths {
		e := resurgence(m)
		e.Row = suite.RowID{Paper: "resurgence", Table: "2", Row: fmt.Sprintf("dyck-m%d", m)}
		e.Model, e.Name = models.DyckRNN, "dyckrnn"
		list = append(list, e)
	}
	return list
}

// Unfrozen lists the experiments of section 6.2 of the paper resurgence for the given
// bounds. There the embedding of the brackets is trained, and a bracket has one number or
// two. For m = 4 there is also a network in which the stack shifts by one number instead of
// two.
func Unfrozen(depths ...int) []Experiment {
	var list []Experiment
	for _, m := range depths {
		for _, v := range []struct {
			tag   string
			model func(m, k int) (*models.Model, error)
		}{{"1d", models.DyckRNN1D}, {"2d", models.DyckRNN2D}, {"2d-byone", models.DyckRNN2DShiftByOne}} {
			if v.tag == "2d-byone" && m != 4 {
				continue
			}
			e := resurgence(m)
			e.Row = suite.RowID{Paper: "resurgence", Section: "6.2", Row: fmt.Sprintf("dyck-m%d-%s", m, v.tag)}
			e.Model, e.Name = v.model, "dyckrnn-"+v.tag
			list = append(list, e)
		}
	}
	return list
}

// Build returns the run of a seed.
func (e Experiment) Build(seed uint64) (*train.Experiment, error) {
	model, err := e.Model(e.M, e.K)
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
	source, err := e.source(lang, corpus, seed)
	if err != nil {
		return nil, err
	}
	name, err := e.Row.Name(int(seed))
	if err != nil {
		return nil, err
	}
	updates := e.MaxUpdates
	if e.Epochs > 0 {
		updates = e.Epochs * source.PerEpoch()
	}
	return &train.Experiment{
		Name: string(name), About: e, Build: model.Build,
		Train: source, Valid: NewStrings(lang, dev, evalStrings),
		Seed: seed, Rule: e.Rule, GradScale: e.GradScale, CheckEvery: e.CheckEvery, MaxUpdates: updates,
		Plateau: optim.Plateau{StopBelow: e.Below, Stop: e.Stop}, Best: e.Stop > 0,
	}, nil
}

// Smoke shrinks an experiment to about a second. It exercises the pipeline; the
// result means nothing.
func (e Experiment) Smoke() Experiment {
	e.Train, e.Dev, e.Test, e.Batch = 300, 100, 100, 64
	if e.Whole {
		e.Train, e.Dev, e.Test, e.Batch, e.Epochs = 60, 40, 40, 256, 2
		return e
	}
	e.CheckEvery, e.MaxUpdates = 50, 150
	return e
}

// source returns the source of the training batches.
func (e Experiment) source(lang formal.BoundedDyck, corpus *formal.Corpus, seed uint64) (train.Source, error) {
	if e.Whole {
		return NewShuffled(lang, corpus, e.Batch, e.Dropout > 0, seed)
	}
	return NewPrefixes(lang, corpus, e.Batch, seed)
}

// embedding is the width of the embedding that the paper second-order-lstm states. The
// paper resurgence states no width; its networks have the same width here.
const embedding = 30

// network is a named cell for any number of hidden units.
type network struct {
	name string
	cell func(h int) models.Cell
}

// networks lists the cells that the paper resurgence uses for natural language.
var networks = []network{
	{"rnn", func(h int) models.Cell { return models.RNN{Hidden: h} }},
	{"lstm", func(h int) models.Cell { return models.LSTM{Hidden: h} }},
	{"mmrnn", func(h int) models.Cell { return models.MMRNN{Hidden: h} }},
	{"mmlstm", func(h int) models.Cell { return models.MMLSTM{Hidden: h} }},
}

// Readouts lists the experiments of section 5.4 of the paper resurgence for each of the
// given depths m: the networks for natural language, with m and with 3m units, trained to
// predict closing brackets.
func Readouts(depths ...int) []Experiment {
	var list []Experiment
	for _, m := range depths {
		for _, n := range networks {
			for _, h := range []int{m, 3 * m} {
				list = append(list, readout(m, n, h))
			}
		}
	}
	return list
}

// ReducedReadouts lists a short training of each network on strings of depth 4 at most.
// There are fewer strings.
func ReducedReadouts() []Experiment {
	var list []Experiment
	for _, n := range networks {
		e := readout(4, n, 12)
		e.Row.Task = "reduced"
		e.Train, e.Dev, e.Test, e.Epochs = 1_000, 400, 1_000, 10
		list = append(list, e)
	}
	return list
}

// dropout is the rate of dropout before the softmax, and perUpdate is the number of
// examples in an update. Section 5.3 of the paper resurgence states them for "all the
// models described above".
const dropout, perUpdate = 0.25, 128

// Dropouts lists the experiments of section 5.4, with the dropout and the size of batches
// that section 5.3 states. The strings have at most the given depth m, and the networks have
// m units. The depth must not be 8. A batch holds whole strings, and each closing bracket is
// an example: a string for m = 8 has more than 128 examples, so it does not fit into a
// batch.
func Dropouts(depths ...int) []Experiment {
	var list []Experiment
	for _, m := range depths {
		for _, n := range networks {
			e := readout(m, n, m)
			e.Row.Task, e.Batch, e.Dropout = "dropout", perUpdate, dropout
			e.Model = func(_, k int) (*models.Model, error) {
				model, err := models.LastState(n.cell(m), k, embedding)
				if err == nil {
					model.Readout.Dropout = dropout
				}
				return model, err
			}
			list = append(list, e)
		}
	}
	return list
}

// readout returns the experiment of section 5.4 of the paper resurgence for a network
// with h units.
func readout(m int, n network, h int) Experiment {
	return Experiment{
		Row:   suite.RowID{Paper: "resurgence", Section: "5.4", Row: fmt.Sprintf("dyck-m%d-%s-h%d", m, n.name, h)},
		Model: func(_, k int) (*models.Model, error) { return models.LastState(n.cell(h), k, embedding) },
		Name:  fmt.Sprintf("%s-h%d", n.name, h),
		Data:  published(m), Batch: 512, Whole: true,
		Rule:   optim.Rule{Method: optim.Adam, LR: 0.001, ClipNorm: 3.5},
		Epochs: 200, Stop: 5,
	}
}
