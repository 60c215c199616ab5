package lm

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pushdown/corpora/text"
	"pushdown/harness/batch"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/optim"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
	"pushdown/models"
)

// Sentences is a row of table 2 or 3 of the paper resurgence: a language model that reads
// sentences one by one or, in a variant, the text as a stream. Build makes its run for a seed.
type Sentences struct {
	Row        suite.RowID   `json:"place"`
	Corpus     string        `json:"corpus"`  // ptb or shakespeare
	Network    string        `json:"network"` // a key of cells
	Hidden     int           `json:"hidden"`
	Layers     int           `json:"layers"`
	Embedding  int           `json:"embedding"`                 // width
	Start      float64       `json:"start,omitempty"`           // the embedding starts uniform(-Start, Start); 0: normal(0, 1)
	Dropout    float64       `json:"dropout"`                   // rate before the softmax
	Carried    bool          `json:"carried_dropout,omitempty"` // whether dropout also acts on the state passed on
	Batch      int           `json:"batch"`                     // sentences in an update
	Rule       optim.Rule    `json:"rule"`
	Epochs     int           `json:"epochs"` // maximum
	Plateau    optim.Plateau `json:"plateau"`
	Limit      int           `json:"limit,omitempty"`      // number of sentences (in a stream, of tokens) of each part; 0: all
	Characters bool          `json:"characters,omitempty"` // whether tokens are characters, not words
	Cut        int           `json:"cut,omitempty"`        // number of tokens after which a training sentence is cut; 0: none
	NoEnds     bool          `json:"no_ends,omitempty"`    // whether neither the first token of a sentence nor its end is predicted
	Steps      int           `json:"steps,omitempty"`      // 0: sentences; else the text is a stream in Batch columns, with an update every so many steps
}

// Resurgence returns a row with the settings that section 5.3 of the paper resurgence states for
// all its language models: Adam at 0.001, a bound of 3.5 for the gradient, batches of 128,
// at most 200 epochs, a patience of 5, and dropout of 0.25 before the softmax. The bound is
// one on the norm of the gradient.
func Resurgence(place suite.RowID, network string, layers, hidden, embedding int) Sentences {
	return Sentences{
		Row: place, Corpus: "ptb", Network: network, Hidden: hidden, Layers: layers, Embedding: embedding, Dropout: 0.25, Batch: 128,
		Rule: optim.Rule{Method: optim.Adam, LR: 0.001, ClipNorm: 3.5}, Epochs: 200, Plateau: optim.Plateau{Stop: 5},
	}
}

// SmallEmbeddings turns rows into variants whose embeddings start uniform(-0.1, 0.1), and returns
// them. PyTorch's example of a language model on words starts them so. The other rows start
// normal(0, 1), like PyTorch's embedding layer. The paper states neither.
func SmallEmbeddings(rows []Sentences) []Sentences {
	for i := range rows {
		rows[i].Row.Task, rows[i].Start = "small-embedding", 0.1
	}
	return rows
}

// WithoutEnds turns rows into variants whose networks do not have the ends of sentences: they read a sentence
// from its first token, predict from the second, and do not predict the end, as a program does that passes
// s[:-1] to a network and compares its predictions with s[1:]. The paper does not say what is predicted.
func WithoutEnds(rows []Sentences) []Sentences {
	for i := range rows {
		rows[i].Row.Task, rows[i].NoEnds = "without-ends", true
	}
	return rows
}

// cells has the cells of the paper resurgence by name. h is the number of hidden units. mrnn
// and mlstm have no matrix between h_{t-1} and the factor m_t, as the stated sizes imply;
// mrnn-factored and mlstm-factored have it.
var cells = map[string]func(h int) models.Cell{
	"rnn":            func(h int) models.Cell { return models.RNN{Hidden: h} },
	"lstm":           func(h int) models.Cell { return models.LSTM{Hidden: h} },
	"mrnn":           func(h int) models.Cell { return models.MRNN{Hidden: h, Direct: true} },
	"mlstm":          func(h int) models.Cell { return models.MLSTM{Hidden: h, Direct: true} },
	"mrnn-factored":  func(h int) models.Cell { return models.MRNN{Hidden: h} },
	"mlstm-factored": func(h int) models.Cell { return models.MLSTM{Hidden: h} },
	"mmrnn":          func(h int) models.Cell { return models.MMRNN{Hidden: h} },
	"mmlstm":         func(h int) models.Cell { return models.MMLSTM{Hidden: h} },
}

// Smoke shrinks an experiment to less than a second. It exercises the pipeline; the
// result means nothing.
func (e Sentences) Smoke() Sentences {
	e.Corpus, e.Limit, e.Batch, e.Epochs = "shakespeare", 40, 8, 2
	e.Hidden, e.Embedding = 12, 8
	if e.Steps != 0 {
		e.Limit, e.Steps = 400, 10
	}
	return e
}

// FirstEpoch returns the row whose runs end after the first epoch of those of e.
func (e Sentences) FirstEpoch() Sentences {
	e.Row.Task, e.Epochs = verdict.FirstEpoch, 1
	return e
}

// ID says where the paper publishes the row.
func (e Sentences) ID() suite.RowID { return e.Row }

// model returns the network for a vocabulary.
func (e Sentences) model(vocabulary int) (*models.Model, error) {
	of, ok := cells[e.Network]
	if !ok {
		return nil, fmt.Errorf("lm: have the network %q, want one of %s", e.Network, strings.Join(slices.Sorted(maps.Keys(cells)), ", "))
	}
	cell := of(e.Hidden)
	if e.Layers > 1 {
		var layers models.Layers
		for range e.Layers {
			layers.Cells = append(layers.Cells, cell)
		}
		cell = layers
	}
	if e.Carried {
		cell = models.Dropped{Cell: cell, Rate: e.Dropout}
		e.Dropout = 0
	}
	model, err := models.LanguageModel(cell, vocabulary, e.Embedding)
	if err != nil {
		return nil, err
	}
	model.Readout.Dropout, model.Readout.LossOnly = e.Dropout, true
	if !(e.Start >= 0) {
		return nil, fmt.Errorf("lm: %s: have embeddings that start uniform(-x, x) for x = %v, want at least 0", e.Row.Row, e.Start)
	}
	if e.Start != 0 {
		model.Embedding = models.UniformEmbedding(e.Embedding, e.Start)
	}
	return model, nil
}

// evalSentences is the number of sentences evaluated at a time.
const evalSentences = 128

// Build returns the run of a seed.
func (e Sentences) Build(seed uint64) (*train.Experiment, error) {
	if e.Characters {
		t, err := Characters(e.Corpus)
		if err != nil {
			return nil, err
		}
		return build(e, t, seed)
	}
	t, err := Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	return build(e, t, seed)
}

// build returns the run of a seed on a text.
func build[T text.Token](e Sentences, t *text.Text[T], seed uint64) (*train.Experiment, error) {
	model, err := e.model(t.Len())
	if err != nil {
		return nil, err
	}
	name, err := e.Row.Name(int(seed))
	if err != nil {
		return nil, err
	}
	if e.Cut < 0 || e.Limit < 0 || e.Layers < 1 {
		return nil, fmt.Errorf("lm: %s: have a cut after %d tokens, a limit of %d and %d layers, want at least 0, 0 and 1", name, e.Cut, e.Limit, e.Layers)
	}
	if e.Steps != 0 && (e.Cut != 0 || e.NoEnds) {
		return nil, fmt.Errorf("lm: %s: have sentences that are cut or have no ends, want neither in a stream", name)
	}
	x := &train.Experiment{Name: string(name), About: e, Build: model.Build, Seed: seed, Rule: e.Rule, Plateau: e.Plateau, Best: true}
	if e.Steps != 0 {
		return x, ReadColumns(x, t, e.Limit, e.Batch, e.Steps, e.Epochs)
	}
	x.Train, err = dataset(e, t.Train, e.Cut).Random().Shuffled(e.Batch, seed)
	if err != nil {
		return nil, fmt.Errorf("lm: %s: %w", name, err)
	}
	x.Valid = dataset(e, t.Valid, 0).Set(evalSentences)
	return x, SetEpochs(x, e.Epochs)
}

// dataset returns a dataset of the sentences of a part, each cut after the given number of
// tokens; 0 means not cut. A sentence without ends that has at most one token has nothing to predict and is left out.
func dataset[T text.Token](e Sentences, p *text.Part[T], cut int) batch.Dataset[T] {
	if cut == 0 {
		cut = math.MaxInt
	}
	whole, kept := p.String, p.Cut
	if e.NoEnds {
		whole = p.Body
		kept = func(i, n int) []T { s := p.Body(i); return s[:min(n, len(s))] }
	}
	n := p.Len()
	if e.Limit > 0 {
		n = min(e.Limit, n)
	}
	predicted := func(i int) []T { s := kept(i, cut); return s[min(1, len(s)):] }
	d := batch.Dataset[T]{Text: whole, List: batch.Whole(n, predicted), Fill: batch.PredictNext[T]}
	d.List = slices.DeleteFunc(d.List, func(s batch.Prefix) bool { return s.Len == 0 })
	return d
}

// Measure measures the result of a run on the test sentences.
func (e Sentences) Measure(dev kernel.Device, x *train.Experiment, res *train.Result) (*suite.Measured, error) {
	set, err := e.test()
	if err != nil {
		return nil, err
	}
	var steps byStep
	test, err := train.Evaluate(x.Build, dev, set, x.Seed, res.Params, steps.add)
	if err != nil {
		return nil, err
	}
	m := Measured(x, res, test, e.Characters)
	if e.Steps == 0 {
		m.Values = append(m.Values, golden.Value{Unit: byStepUnit, Value: steps.mean()})
	}
	return m, nil
}

// byStepUnit is the unit of another reading of the mean loss; see byStep.
const byStepUnit = "test-ce-by-step"

// byStep computes another mean loss: at each step, the mean over the sentences of a batch that
// have not ended; then the mean over the steps, then over the batches. Steps that only long
// sentences have weigh as much as the first.
type byStep struct {
	sum     float64
	batches int
}

// add adds a batch in which each row has a prediction.
func (s *byStep) add(o *train.BatchOutput) error {
	sum, row := 0.0, 0
	for _, n := range o.Batch.Active {
		step := 0.0
		for _, x := range o.Loss[row : row+n] {
			step += float64(x)
		}
		sum, row = sum+step/float64(n), row+n
	}
	s.sum, s.batches = s.sum+sum/float64(len(o.Batch.Active)), s.batches+1
	return nil
}

func (s *byStep) mean() float64 { return s.sum / float64(s.batches) }

// test returns the test text.
func (e Sentences) test() (train.Set, error) {
	if e.Characters {
		t, err := Characters(e.Corpus)
		if err != nil {
			return nil, err
		}
		return testSet(e, t.Test), nil
	}
	t, err := Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	return testSet(e, t.Test), nil
}

func testSet[T text.Token](e Sentences, p *text.Part[T]) train.Set {
	if e.Steps != 0 {
		return Columns(p, e.Limit, e.Batch, e.Steps).Set(e.Batch)
	}
	return dataset(e, p, 0).Set(evalSentences)
}

// Trace returns nothing: no figure shows these runs.
func (e Sentences) Trace(kernel.Device, *train.Experiment, *train.Result, *suite.Measured) (any, error) {
	return nil, nil
}

// Units returns the units of the values that Measured returns.
func Units(characters bool) []suite.Unit {
	units := []suite.Unit{suite.Lower("params").Fixed(), suite.Lower("valid-ce"), suite.Lower("test-ce")} // all trained parameters; nats per token
	if characters {
		units = append(units, suite.Lower("valid-bpc"), suite.Lower("test-bpc")) // bits per character
	} else {
		units = append(units, suite.Lower("valid-ppl"), suite.Lower("test-ppl")) // e to the power of the cross-entropy
	}
	return append(units,
		suite.Lower(byStepUnit), // in nats; only of rows that read sentences
		suite.Lower("epochs").FromTraining(),
		suite.Lower("epochs-best").FromTraining(), // to the best validation loss
		suite.TrainMinutes)
}

// Measured returns the values of a run of a language model, for the resulting parameters.
// The argument test is the loss on the test text, in nats. If characters is set, tokens are
// characters, and bits per character take the place of perplexities.
func Measured(x *train.Experiment, res *train.Result, test float64, characters bool) *suite.Measured {
	best := suite.Best(res.Checks)
	of, unit := metric.Perplexity, "ppl"
	if characters {
		of, unit = metric.BitsPerCharacter, "bpc"
	}
	return &suite.Measured{Values: []golden.Value{
		{Unit: "params", Value: float64(res.Params.Count())},
		{Unit: "valid-ce", Value: best.Loss},
		{Unit: "valid-" + unit, Value: of(best.Loss)},
		{Unit: "test-ce", Value: test},
		{Unit: "test-" + unit, Value: of(test)},
		{Unit: "epochs", Value: res.Epochs(x)},
		{Unit: "epochs-best", Value: float64(best.Update) / float64(x.Train.PerEpoch())},
		{Unit: "train-min", Value: res.Took.Minutes()},
	}}
}
