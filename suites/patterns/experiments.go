package patterns

import (
	"fmt"
	"slices"

	"pushdown/corpora/formal"
	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/models"
)

// Experiment is one row of a table or a figure. Build makes the run of a restart.
type Experiment struct {
	Row      suite.RowID `json:"place"`
	Networks []Network   `json:"networks"` // restart s trains network (s-1) mod len(Networks)
	Restarts int         `json:"-"`
	Data
	Window     int     `json:"window"`          // steps that a gradient goes back
	Every      int     `json:"every"`           // symbols between updates
	LR         float64 `json:"lr"`              // for one symbol
	Clip       float64 `json:"clip"`            // bound of the errors
	FlushBelow float64 `json:"least"`           // smaller numbers in the errors of stacks or lists become 0
	Scale      int     `json:"scale"`           // the loss is scaled by 2^Scale for its gradient
	Capacity   int     `json:"capacity"`        // cells of a stack in training
	Epochs     int     `json:"epochs"`          // maximum
	Below      float64 `json:"below,omitempty"` // validation loss in nats at which training stops; 0: none

	// The test has PerLength strings of each length up to Longest. In the test, a stack
	// has Cells cells, more than in training because the test strings are longer.
	Longest   int `json:"longest"`
	PerLength int `json:"per_length"`
	Cells     int `json:"cells"`
}

// ID says where the paper publishes the row.
func (e Experiment) ID() suite.RowID { return e.Row }

// leastError and gradScale keep the errors of stacks from becoming subnormal numbers,
// with which arithmetic would take most of the time. An error that goes back through a
// stack is multiplied by actions near 0 and 1 and soon fades. If its absolute value
// falls below leastError, it becomes 0. The loss is scaled by 2^gradScale, so a larger
// error stays normal when it is multiplied by one more action.
const (
	gradScale  = 64
	leastError = 0x1p-96
)

// protocol returns an experiment with the training and the test of the authors'
// program.
func protocol(d Data, n ...Network) Experiment {
	return Experiment{
		Networks: n, Data: d, Window: 50, Every: 1, LR: 0.1, Clip: 15, FlushBelow: leastError, Scale: gradScale,
		Capacity: 200, Epochs: 100, Longest: longest, PerLength: perLength, Cells: 400,
	}
}

// Network returns the network of a restart.
func (e Experiment) Network(seed uint64) Network { return e.Networks[int(seed-1)%len(e.Networks)] }

// returnBelow is a validation loss of additions in nats, 0.1 ln 10. Below it, every epoch
// without a new best restores the best parameters.
const returnBelow = 0.1 * 2.302585092994046

// Build returns the run of a restart.
func (e Experiment) Build(seed uint64) (*train.Experiment, error) {
	n := e.Network(seed)
	name, err := e.Row.Name(int(seed))
	if err != nil {
		return nil, err
	}
	stream, err := e.training()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	valid, err := e.valid()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	training, err := n.Model(e.Task, Memory{Cells: e.Capacity, Clip: e.Clip, FlushBelow: e.FlushBelow})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	reading, err := n.Model(e.Task, Memory{Cells: e.Capacity})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	x := &train.Experiment{
		Name: string(name), About: e, Valid: valid, Seed: seed, Best: true, GradScale: e.Scale,
		Build: func(c stepgraph.Config) (*stepgraph.Graph, error) {
			if c.Training {
				return training.Build(c)
			}
			return reading.Build(c)
		},
		// In the authors' program a gradient goes back as many steps as there were updates
		// since the stacks were emptied. That may be less than the window if only answers
		// are predicted. LimitToPredicted sets the same limit.
		Online: train.Online{Stream: stream, Window: e.Window, Every: e.Every, Epochs: e.Epochs, LimitToPredicted: e.Answers(), BestIfDiverged: true},
		// The gradient here is the mean over Every symbols, and in the authors' program it
		// is the sum. So the rate for one symbol is multiplied by Every.
		Rule: optim.Rule{Method: optim.SGD, LR: e.LR * float64(e.Every)},
		Plateau: optim.Plateau{
			From: e.Max/2 + 2, Patience: 1, Factor: 0.5, Return: true,
			MinLR: 1e-5 * float64(e.Every), StopBelow: e.Below,
		},
	}
	if e.Answers() {
		x.Plateau.ReturnBelow = returnBelow
	}
	return x, nil
}

// Counting lists the tasks of table 2.
var Counting = []formal.Pattern{formal.AnBn, formal.AnBnCn, formal.AnBnCnDn, formal.AnB2n, formal.AnBmCnm}

// stack returns a Stack RNN as in the program's scripts, with ten stacks. It reads the
// two topmost cells of each.
func stack(hidden int) Network { return Network{Kind: Stack, Hidden: hidden, Count: 10, Read: 2} }

// list returns a List RNN that reads two cells of each list.
func list(hidden, lists int) Network {
	return Network{Kind: List, Hidden: hidden, Count: lists, Read: 2}
}

func (n Network) rounded() Network { n.Round = true; return n }
func (n Network) noop() Network    { n.Noop = true; return n }

// sigmas and lstms are the baselines, in the sizes that the paper tried: simple RNNs with
// sigmoid units, and LSTMs.
var (
	sigmas = []Network{{Kind: Sigma, Hidden: 40}, {Kind: Sigma, Hidden: 100}, {Kind: Sigma, Hidden: 500}}
	lstms  = []Network{
		{Kind: LSTM, Hidden: 50, Layers: 1}, {Kind: LSTM, Hidden: 100, Layers: 1}, {Kind: LSTM, Hidden: 200, Layers: 1},
		{Kind: LSTM, Hidden: 50, Layers: 2}, {Kind: LSTM, Hidden: 100, Layers: 2}, {Kind: LSTM, Hidden: 200, Layers: 2},
	}
)

// A method is a row of table 2.
type method struct {
	row      string
	networks []Network
}

// restarts is the number of restarts of each network of table 2: three times the ten from
// which one is chosen, and at least five for each size.
const restarts = 30

// methods lists the rows of table 2.
var methods = []method{
	{"rnn", sigmas},
	{"lstm", lstms},
	{"list-rnn", []Network{list(40, 5)}},
	{"stack-rnn", []Network{stack(40)}},
	{"stack-rnn-rounding", []Network{stack(40).rounded()}},
}

// Baseline reports whether a network has neither stacks nor lists. A step of a baseline costs
// up to fifty times as much as one of a network with stacks. Baselines are therefore updated
// only after every 25 symbols, with a rate of 0.02 for the sum of the 25 gradients, but in [EverySymbol].
func (n Network) Baseline() bool { return n.Kind == Sigma || n.Kind == LSTM }

const (
	baselineEvery = 25
	baselineLR    = 0.02
)

// experiment returns a row of the paper at full size.
func experiment(r suite.RowID, d Data, networks []Network, restarts int) Experiment {
	r.Paper = "stack-rnn"
	e := protocol(d, networks...)
	e.Row, e.Restarts = r, restarts
	if networks[0].Baseline() {
		e.Every, e.LR = baselineEvery, baselineLR
		e.ResetEvery = 0 // there are no stacks to be emptied
	}
	return e
}

// counting specifies the strings of a task of table 2.
func counting(task formal.Pattern, max int) Data {
	return Data{Task: task, Corpus: 1, Min: 2, Max: max, Epoch: 2000, ResetEvery: 1000, Valid: 1000}
}

// below bounds the lengths of training strings as the paper states: n is less than 20.
const below = 20

// script specifies the strings of a task as in the script that starts the authors' program.
// The lengths depend on whether the network rounds its actions. If the training strings of the
// script are shorter than the paper says, validation uses the lengths of the paper.
func script(task formal.Pattern, rounds bool) Data {
	most := 15
	switch {
	case task == formal.AnB2n:
		most = below
	case task == formal.AnBmCnm && !rounds:
		most = 10
	}
	d := counting(task, most)
	d.Long = most < below
	return d
}

// Table2 lists the cells of table 2, every method on every task. Networks with stacks
// or lists have the strings of the authors' script. The other networks, which are not in
// the script, have the strings that the paper's text describes.
func Table2() []Experiment {
	var all []Experiment
	for _, m := range methods {
		for _, task := range Counting {
			d := counting(task, below)
			if n := m.networks[0]; !n.Baseline() {
				d = script(task, n.Round)
			}
			all = append(all, experiment(suite.RowID{Table: "2", Row: m.row, Task: string(task)}, d, m.networks, restarts))
		}
	}
	return all
}

// Below20 lists the networks with stacks or lists on the tasks for which the script and
// the text of the paper specify different strings. Here the strings are those of the text:
// n is below 20 in training and validation.
func Below20() []Experiment {
	var all []Experiment
	for _, e := range Table2() {
		if e.Max < below {
			all = append(all, experiment(suite.RowID{Section: "5.1", Row: e.Row.Row + "-below20", Task: e.Row.Task}, counting(e.Task, below), e.Networks, 10))
		}
	}
	return all
}

// ForgetBias lists an LSTM whose forget gates start open, so that it can keep a count
// from the first symbol on. It is updated after every 25 symbols with a gradient that
// goes back 25 steps. The paper gives no protocol for its LSTM.
func ForgetBias() []Experiment {
	var all []Experiment
	n := Network{Kind: LSTM, Hidden: 100, Layers: 1, Forget: 1}
	for _, task := range Counting {
		e := experiment(suite.RowID{Section: "5.1", Row: "lstm-forget1", Task: string(task)}, counting(task, below), []Network{n}, 10)
		e.Window = e.Every
		all = append(all, e)
	}
	return all
}

// EverySymbol lists the baselines of at most 100 units in a layer with the protocol of the authors' program, as networks with
// stacks have it: an update after every symbol, at a rate of 0.1.
func EverySymbol() []Experiment {
	var all []Experiment
	for _, m := range methods {
		n := slices.DeleteFunc(slices.Clone(m.networks), func(n Network) bool { return !n.Baseline() || n.Hidden > 100 })
		if len(n) == 0 {
			continue
		}
		for _, task := range Counting {
			e := experiment(suite.RowID{Section: "5.1", Row: m.row + "-every-symbol", Task: string(task)}, counting(task, below), n, 10)
			of := protocol(e.Data)
			e.Every, e.LR = of.Every, of.LR
			all = append(all, e)
		}
	}
	return all
}

// Variants lists the readings of table 2 that are run but not judged.
func Variants() []Experiment { return slices.Concat(Below20(), ForgetBias(), EverySymbol()) }

// Figure2 lists the networks of figure 2: memorization and addition. The Stack RNN
// memorizes with a no-op, as in the text, and without a no-op, as in the script.
func Figure2() []Experiment {
	memory := Data{Task: formal.Memorization, Corpus: 1, Min: 2, Max: 20, Epoch: 2000, ResetEvery: 100, Valid: 1000}
	sum := Data{Task: formal.Addition, Corpus: 1, Max: 20, Epoch: 10_000, ResetEvery: 10, Valid: 1000}
	var all []Experiment
	add := func(row string, d Data, n Network, restarts int) {
		r := suite.RowID{Figure: "2", Row: row, Task: string(d.Task)}
		all = append(all, experiment(r, d, []Network{n}, restarts))
	}
	add("rnn", memory, Network{Kind: Sigma, Hidden: 100}, 3)
	add("lstm", memory, Network{Kind: LSTM, Hidden: 100, Layers: 1}, 3)
	add("list-rnn", memory, list(100, 10).noop(), 10)
	add("stack-rnn", memory, stack(100).noop(), 10)
	add("stack-rnn-without-noop", memory, stack(100), 10)
	add("stack-rnn", sum, stack(100).noop(), 10)
	return all
}

// Traced lists the networks of table 3 and figure 3, which show the stacks. Both round
// their actions.
func Traced() []Experiment {
	small := Network{Kind: Stack, Hidden: 20, Count: 2, Read: 1, Round: true}
	d := counting(formal.AnB2n, 15)
	d.Long = true
	sum := Data{Task: formal.Addition, Corpus: 1, Max: 20, Epoch: 10_000, ResetEvery: 10, Valid: 1000}
	return []Experiment{
		experiment(suite.RowID{Table: "3", Row: "stack-rnn", Task: string(formal.AnB2n)}, d, []Network{small}, 10),
		experiment(suite.RowID{Figure: "3", Row: "stack-rnn", Task: string(formal.Addition)}, sum, []Network{stack(100).noop().rounded()}, 10),
	}
}

// Smoke shrinks an experiment to less than a second. It exercises the pipeline; the
// result means nothing.
func (e Experiment) Smoke() Experiment {
	e.Networks, e.Restarts = e.Networks[:1], 1
	e.Max, e.Epoch, e.ResetEvery, e.Valid, e.Epochs = 4, 12, min(e.ResetEvery, 4), 10, 2
	e.Window, e.Every = 10, min(e.Every, 5)
	e.Longest, e.PerLength, e.Capacity, e.Cells = 6, 4, 20, 30
	return e
}

// Short lists the run of a plain go test: the Stack RNN with rounding on
// a^n b^m c^(n+m), on the lengths of the authors' script. It stops at a validation loss
// at which the network predicts strings of every length up to 60.
func Short() []Experiment {
	for _, e := range Table2() {
		if e.Row.Row == "stack-rnn-rounding" && e.Task == formal.AnBmCnm {
			e.Row.Table, e.Row.Section, e.Row.Row = "", "5.1", "stack-rnn-rounding-script-short"
			e.Restarts, e.Below = 1, 0.52
			return []Experiment{e}
		}
	}
	panic("patterns: the script has no rounded network on a^n b^m c^(n+m)")
}

// Kind is a kind of network.
type Kind string

// The kinds.
const (
	Stack Kind = "stack-rnn"
	List  Kind = "list-rnn"
	Sigma Kind = "rnn"
	LSTM  Kind = "lstm"
)

// Network is a network of the paper, for any alphabet.
type Network struct {
	Kind   Kind    `json:"kind"`
	Hidden int     `json:"hidden"`
	Count  int     `json:"count,omitempty"` // stacks or lists
	Read   int     `json:"read,omitempty"`  // cells of each that are fed back
	Noop   bool    `json:"noop,omitempty"`
	Round  bool    `json:"round,omitempty"`  // round actions in validation and test
	Layers int     `json:"layers,omitempty"` // of an LSTM
	Forget float64 `json:"forget,omitempty"` // initial bias of an LSTM's forget gate; see models.LSTM
}

// Memory has the sizes and limits of a network that are not the same in training, test
// and trace.
type Memory struct {
	Cells      int     // of a stack, or on either side of the head of a list
	Clip       float64 // bound of the errors; 0: none
	FlushBelow float64 // smaller numbers in the errors of stacks and lists become 0
	Trace      bool    // output the actions and tops of stacks
}

// Model returns the network for a task.
func (n Network) Model(task formal.Pattern, m Memory) (*models.Model, error) {
	if err := task.Validate(); err != nil {
		return nil, fmt.Errorf("patterns: %w", err)
	}
	const hold = 50 // the authors' program clamps the arguments of sigmoids to [-50, 50]
	v := task.Vocabulary()
	switch n.Kind {
	case Stack:
		return models.StackLanguageModel(models.StackRNN{
			Hidden: n.Hidden, Stacks: n.Count, Capacity: m.Cells, Read: n.Read, Noop: n.Noop, Round: n.Round, ClampArgs: hold, Clip: m.Clip, FlushBelow: m.FlushBelow, Trace: m.Trace,
		}, v)
	case List:
		return models.ListLanguageModel(models.ListRNN{
			Hidden: n.Hidden, Lists: n.Count, Side: m.Cells, Read: n.Read, Noop: n.Noop, Round: n.Round, ClampArgs: hold, Clip: m.Clip, FlushBelow: m.FlushBelow,
		}, v)
	case Sigma:
		return models.SigmaLanguageModel(models.SigmaRNN{Hidden: n.Hidden, Clip: m.Clip}, v)
	case LSTM:
		var cells models.Layers
		for range n.Layers {
			cells.Cells = append(cells.Cells, models.LSTM{Hidden: n.Hidden, Forget: n.Forget})
		}
		return models.OneHotLanguageModel(cells, v)
	}
	return nil, fmt.Errorf("patterns: network of kind %q, want %s, %s, %s or %s", n.Kind, Stack, List, Sigma, LSTM)
}
