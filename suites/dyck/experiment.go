package dyck

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/bench"
	"pushdown/harness/optim"
	"pushdown/harness/train"
	"pushdown/models"
)

// Experiment is one row of a table at one scale, for any seed.
type Experiment struct {
	Row   bench.Row
	Model func(m, k int) (*models.Model, error) `json:"-"`
	Name  string                                // of the model
	M, K  int
	// Lengths of the strings, see formal.BoundedDyck; zero: the defaults.
	Min, Max         int
	Train, Dev, Test int    // strings
	CorpusSeed       uint64 // belongs to the experiment: all seeds see the same strings
	Batch            int    // examples in an update
	Rule             optim.Rule
	CheckEvery       int // updates
	MaxUpdates       int
	Below            float64 // dev loss in nats at which training stops
}

// gradScale keeps the gradients of a nearly perfect stack normal: each cell holds
// products of up to m gates of 1e-3 to 1e-7, times an error of 1e-5.
const gradScale = 64

// strings evaluated at a time: their states fit a second-level cache.
const evalStrings = 128

// resurgence returns the common protocol of the Dyck-RNN experiments for m.
func resurgence(m int) Experiment {
	return Experiment{
		M: m, K: 2, Train: 10_000, Dev: 4_000, Test: 10_000, CorpusSeed: uint64(m),
		Batch: 512, Rule: optim.Rule{Method: optim.Adam, LR: 0.01},
		CheckEvery: 500, MaxUpdates: 30_000, Below: 1e-5,
	}
}

// depths are the bounds m of the paper.
var depths = []int{4, 6, 8}

// Table2 lists the Dyck rows of table 2 of resurgence. Their epochs and
// minutes are those of table 1.
func Table2() []Experiment {
	var list []Experiment
	for _, m := range depths {
		e := resurgence(m)
		e.Row = bench.Row{Paper: "resurgence", Table: "2", Row: fmt.Sprintf("dyck-m%d", m)}
		e.Model, e.Name = models.DyckRNN, "dyckrnn"
		list = append(list, e)
	}
	return list
}

// Unfrozen lists the experiments of section 6.2 of resurgence: the embedding is
// trained, with one number and with two, for the given bounds. The reading in
// which the stack shifts by one number stands beside it for m = 4.
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
			e.Row = bench.Row{Paper: "resurgence", Section: "6.2", Row: fmt.Sprintf("dyck-m%d-%s", m, v.tag)}
			e.Model, e.Name = v.model, "dyckrnn-"+v.tag
			list = append(list, e)
		}
	}
	return list
}

// Smoke shrinks an experiment to a second: the pipeline, not the result.
func (e Experiment) Smoke() Experiment {
	e.Train, e.Dev, e.Test = 300, 100, 100
	e.Batch, e.CheckEvery, e.MaxUpdates = 64, 50, 150
	return e
}

// Language is the language of the experiment.
func (e Experiment) Language() (formal.BoundedDyck, error) {
	lang := formal.NewBoundedDyck(e.K, e.M)
	if e.Min != 0 || e.Max != 0 {
		lang.Min, lang.Max = e.Min, e.Max
	}
	return lang, lang.Validate()
}

// Run makes the run of a seed.
func (e Experiment) Run(seed uint64) (*train.Experiment, error) {
	lang, err := e.Language()
	if err != nil {
		return nil, err
	}
	model, err := e.Model(e.M, e.K)
	if err != nil {
		return nil, err
	}
	corpus, err := lang.Sample(e.CorpusSeed, formal.Train, e.Train)
	if err != nil {
		return nil, err
	}
	dev, err := lang.Sample(e.CorpusSeed, formal.Dev, e.Dev)
	if err != nil {
		return nil, err
	}
	source, err := NewPrefixes(lang, corpus, e.Batch, seed)
	if err != nil {
		return nil, err
	}
	name, err := e.Row.Name(int(seed))
	if err != nil {
		return nil, err
	}
	return &train.Experiment{
		Name: string(name), About: e, Build: model.Build,
		Train: source, Valid: NewStrings(lang, dev, evalStrings),
		Seed: seed, Rule: e.Rule, GradScale: gradScale, CheckEvery: e.CheckEvery, MaxUpdates: e.MaxUpdates,
		Plateau: optim.Plateau{Below: e.Below},
	}, nil
}
