package wordlm

import (
	"fmt"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/optim"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/harness/verdict"
	"pushdown/models"
	"pushdown/suites/lm"
)

// Stream is a row of table 4 of the paper stack-rnn or of table 5 of the paper diffstk:
// a language model that reads the text as a stream, in columns. Build makes its run for
// a seed.
type Stream struct {
	Row      suite.RowID   `json:"place"`
	Corpus   string        `json:"corpus"` // ptb or shakespeare
	Network  Network       `json:"network"`
	Hidden   int           `json:"hidden"`
	Memory   int           `json:"memory,omitzero"`   // stacks, or the numbers in a cell of a memory of vectors
	Capacity int           `json:"capacity,omitzero"` // cells of a stack
	Columns  int           `json:"columns"`           // columns into which the training text is divided
	Every    int           `json:"every"`             // steps of all columns in an update
	Window   int           `json:"window"`            // steps through which a gradient goes back
	Clip     float64       `json:"clip,omitzero"`     // bound of the errors of one prediction; 0: none
	Noise    float64       `json:"noise,omitzero"`    // standard deviation of the noise added to the state in training
	Carry    bool          `json:"carry,omitzero"`    // carry-forward, in the DiffStk networks; others ignore it
	Rule     optim.Rule    `json:"rule"`
	Epochs   int           `json:"epochs"` // maximum
	Plateau  optim.Plateau `json:"plateau"`
	Limit    int           `json:"limit,omitzero"` // number of tokens of each part; 0: all
}

// Network names a network that reads a stream.
type Network string

// The networks, in the order of the tables.
const (
	RNN             Network = "rnn"
	LSTM            Network = "lstm"
	SRCN            Network = "srcn"
	StackRNN        Network = "stack-rnn"
	StackRNNSoftmax Network = "stack-rnn-softmax"
	BabyNTM         Network = "baby-ntm-softmax"
	DiffStkRNN      Network = "diffstk-rnn"
	DiffStkMRNN     Network = "diffstk-mrnn"
	DiffStkMIRNN    Network = "diffstk-mirnn"
)

// capacity is the number of cells of a memory: as many as the steps through which a
// gradient goes back. In a stack, no gradient reaches the push of a number that lies deeper.
const capacity = 50

// rate is the learning rate of SGD for the sum of the errors of an update. The paper states
// 0.1 for an update after every word.
const rate = 0.025

// clip is the bound of errors and gradients that both papers state, for the sum of the
// errors of an update.
const clip = 15

// stream returns what the rows of both tables have in common: 100 units, 32 columns, an
// update after every 5 words of each column, and gradients that go back 50 steps.
func stream(paper, table string, n Network) Stream {
	return Stream{
		Row:    suite.RowID{Paper: paper, Table: table, Row: string(n)},
		Corpus: "ptb", Network: n, Hidden: 100, Columns: 32, Every: 5, Window: 50,
	}
}

// Table4 lists the trained rows of table 4 of the paper stack-rnn.
func Table4() []Stream {
	var list []Stream
	for _, n := range []Network{RNN, LSTM, SRCN, StackRNN} {
		e := stream("stack-rnn", "4", n)
		sum := float64(e.Columns * e.Every) // turns the rate of a mean into that of a sum
		e.Rule = optim.Rule{Method: optim.SGD, LR: rate * sum}
		e.Plateau = optim.Plateau{Patience: 1, Factor: 0.5, Return: true, MinLR: 1e-5 * sum}
		e.Epochs = 100
		switch n {
		case RNN, LSTM:
			e.Clip = clip
		case StackRNN:
			e.Clip, e.Memory, e.Capacity = clip, 60, capacity
		}
		list = append(list, e)
	}
	return list
}

// Table5 lists the rows of table 5 of the paper diffstk that table 4 of the paper stack-rnn
// does not have.
func Table5() []Stream {
	var list []Stream
	for _, n := range []Network{StackRNNSoftmax, BabyNTM, DiffStkRNN, DiffStkMRNN, DiffStkMIRNN} {
		e := stream("diffstk", "5", n)
		e.Rule = optim.Rule{Method: optim.Adam, LR: 2e-3, Clip: clip / float64(e.Columns*e.Every)}
		e.Plateau = optim.Plateau{Patience: 1, Factor: 0.5, Return: true, MinLR: 1e-5}
		e.Epochs, e.Memory, e.Capacity = 50, 60, capacity
		switch n {
		case StackRNNSoftmax, BabyNTM:
			e.Memory = 5
		}
		list = append(list, e)
	}
	return list
}

// ClippedNorms lists rows of Table5 that bound the norm of the gradient, where the rows of
// Table5 bound each element. For each row there is one that stops after the first epoch, too.
func ClippedNorms() []Stream {
	var list []Stream
	for _, e := range Table5() {
		e.Rule.Clip, e.Rule.ClipNorm = 0, e.Rule.Clip
		first := e.FirstEpoch()
		e.Row.Task = "clipped-norm"
		first.Row.Task += "-clipped-norm"
		list = append(list, e, first)
	}
	return list
}

// Patient lists rows of Table5 whose rate is halved only after three epochs in a row without a
// new best validation loss, down to 1e-4. Training goes on from the last parameters.
func Patient() []Stream {
	list := Table5()
	for i := range list {
		e := &list[i]
		e.Row.Task = "patience"
		e.Plateau = optim.Plateau{Patience: 3, Factor: 0.5, Floor: 1e-4}
	}
	return list
}

// Noisy lists rows of Table5 with the noise of our runs of tables 1 to 4, and with their
// carry-forward, which only the DiffStk networks have: it needs a NO-OP.
func Noisy() []Stream {
	list := Table5()
	for i := range list {
		e := &list[i]
		e.Row.Task, e.Noise, e.Carry = "noise", 0.05, true
	}
	return list
}

// Streams lists the rows of both tables.
func Streams() []Stream { return append(Table4(), Table5()...) }

// embedded returns a function that lists rows on the embedded text. They have fewer
// columns, and they read the text once.
func embedded(rows func() []Stream) func() []Stream {
	return func() []Stream {
		list := rows()
		for i := range list {
			e := &list[i]
			e.Row.Task, e.Corpus, e.Columns, e.Epochs = "shakespeare", "shakespeare", 8, 1
			// With 8 columns instead of 32, an update has a fourth of the errors. The rate and
			// the bound for their sum should stay the same. Rule.Clip, and LR with SGD, apply
			// to their mean, so Rule.Clip is multiplied by 4 and LR is divided by 4.
			e.Rule.Clip *= 4
			if e.Network == DiffStkRNN {
				e.Rule.LR = 1e-3 // at 2e-3 it diverges in 8 columns
			}
			if e.Rule.Method == optim.SGD {
				e.Rule.LR /= 4
				e.Plateau.MinLR /= 4
			}
		}
		return list
	}
}

// EveryWord lists the RNN and the Stack RNN of Table4 on the embedded text with the settings
// of the public program of stack-rnn: one column, an update after every word, and the
// stated rate of 0.1. Beside the rows of 8 columns they show what difference the columns
// make.
func EveryWord() []Stream {
	var list []Stream
	for _, e := range embedded(Table4)() {
		if e.Network != RNN && e.Network != StackRNN {
			continue
		}
		e.Row.Task += "-every-word"
		e.Columns, e.Every, e.Rule.LR, e.Plateau.MinLR = 1, 1, 0.1, 1e-5
		list = append(list, e)
	}
	return list
}

// Smoke shrinks an experiment to less than a second. It exercises the pipeline; the
// result means nothing.
func (e Stream) Smoke() Stream {
	e.Corpus, e.Limit, e.Epochs = "shakespeare", 400, 2
	e.Hidden, e.Columns, e.Every, e.Window = 12, 4, 5, 12
	if e.Memory > 0 {
		e.Memory, e.Capacity = 3, 8
	}
	return e
}

// FirstEpoch returns the row whose runs end after the first epoch of those of e.
func (e Stream) FirstEpoch() Stream {
	e.Row.Task, e.Epochs = verdict.FirstEpoch, 1
	return e
}

// ID says where the paper publishes the row.
func (e Stream) ID() suite.RowID { return e.Row }

// model returns the network for a vocabulary of the given size.
func (e Stream) model(vocabulary int) (*models.Model, error) {
	diffstk := models.DiffStk{Hidden: e.Hidden, Stacks: e.Memory, Read: 2, Capacity: e.Capacity, Noise: e.Noise, Carry: e.Carry}
	var (
		m   *models.Model
		err error
	)
	switch e.Network {
	case RNN:
		m, err = models.SigmaLanguageModel(models.SigmaRNN{Hidden: e.Hidden, Clip: e.meanClip()}, vocabulary)
	case LSTM:
		m, err = models.ReaderLanguageModel(models.SymbolLSTM{Hidden: e.Hidden, Clip: e.meanClip()}, vocabulary)
	case SRCN:
		m, err = models.SRCNLanguageModel(models.SRCN{Hidden: e.Hidden, Context: 2 * e.Hidden / 5, Lagged: true}, vocabulary)
	case StackRNN:
		m, err = models.StackLanguageModel(e.stackRNN(), vocabulary)
	case StackRNNSoftmax:
		m, err = models.ReaderLanguageModel(models.StackRNNSoftmax{Hidden: e.Hidden, Width: e.Memory, Capacity: e.Capacity, Noise: e.Noise}, vocabulary)
	case BabyNTM:
		m, err = models.ReaderLanguageModel(models.BabyNTM{Hidden: e.Hidden, Width: e.Memory, Cells: e.Capacity, Noise: e.Noise}, vocabulary)
	case DiffStkRNN:
		m, err = models.ReaderLanguageModel(models.DiffStkRNN{DiffStk: diffstk}, vocabulary)
	case DiffStkMRNN:
		m, err = models.ReaderLanguageModel(models.DiffStkMRNN{DiffStk: diffstk}, vocabulary)
	case DiffStkMIRNN:
		m, err = models.ReaderLanguageModel(models.DiffStkMIRNN{DiffStk: diffstk}, vocabulary)
	default:
		return nil, fmt.Errorf("wordlm: have the network %q, want one of the rows of table 5 of diffstk", e.Network)
	}
	if err == nil {
		m.Readout.LossOnly = true
	}
	return m, err
}

// stackRNN returns the cell of the Stack RNN.
func (e Stream) stackRNN() models.StackRNN {
	return models.StackRNN{
		Hidden: e.Hidden, Stacks: e.Memory, Capacity: e.Capacity, Read: 2, Noop: true, Recurrent: true, Clip: e.meanClip(), ClampArgs: 50,
	}
}

// meanClip returns the bound of the errors of the mean loss of an update, which the network
// computes. e.Clip bounds the errors of the sum of the losses.
func (e Stream) meanClip() float64 { return e.Clip / float64(e.Columns*e.Every) }

// evalSteps is the number of words evaluated at a time.
const evalSteps = 500

// check returns an error if a number of e is out of range. tokens is the number of training
// tokens.
func (e Stream) check(tokens int) error {
	if e.Limit > 0 {
		tokens = min(tokens, e.Limit)
	}
	switch {
	case e.Columns < 1 || e.Columns > tokens:
		return fmt.Errorf("wordlm: %s: have %d columns, want 1 to the number of training tokens, %d", e.Row.Row, e.Columns, tokens)
	case e.Every < 1 || e.Window < e.Every:
		return fmt.Errorf("wordlm: %s: have an update every %d steps and a window of %d, want an update every step or more, and a window at least as long", e.Row.Row, e.Every, e.Window)
	case !(e.Clip >= 0) || e.Limit < 0:
		return fmt.Errorf("wordlm: %s: have clip %v and limit %d, want at least 0", e.Row.Row, e.Clip, e.Limit)
	}
	return nil
}

// Build returns the run of a seed.
func (e Stream) Build(seed uint64) (*train.Experiment, error) {
	t, err := lm.Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	if err := e.check(t.Train.Tokens()); err != nil {
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
	text := lm.Columns(t.Train, e.Limit, e.Columns, e.Every)
	if e.Noise != 0 {
		text = text.Random()
	}
	x := &train.Experiment{
		Name: string(name), About: e, Build: model.Build, Train: text.Set(e.Columns), Valid: lm.Columns(t.Valid, e.Limit, 1, evalSteps).Set(1),
		Seed: seed, Rule: e.Rule, Plateau: e.Plateau, Window: e.Window, Best: true,
	}
	return x, lm.SetEpochs(x, e.Epochs)
}

// Measure measures the result of a run on the test text.
func (e Stream) Measure(dev kernel.Device, x *train.Experiment, res *train.Result) (*suite.Measured, error) {
	t, err := lm.Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	test, err := train.Evaluate(x.Build, dev, lm.Columns(t.Test, e.Limit, 1, evalSteps).Set(1), x.Seed, res.Params, nil)
	if err != nil {
		return nil, err
	}
	m := lm.Measured(x, res, test, false)
	if e.Network == StackRNN {
		r, decay, err := e.bags(dev, t, x.Seed, res.Params)
		if err != nil {
			return nil, err
		}
		m.Values = append(m.Values, golden.Value{Unit: bagUnit, Value: r}, golden.Value{Unit: decayUnit, Value: decay})
	}
	return m, nil
}

// Trace returns nothing: no figure shows these runs.
func (e Stream) Trace(kernel.Device, *train.Experiment, *train.Result, *suite.Measured) (any, error) {
	return nil, nil
}
