package patterns

import (
	"pushdown/corpora/formal"
	"pushdown/harness/suite"
)

// Counting are the tasks of table 2.
var Counting = []formal.Pattern{formal.AnBn, formal.AnBnCn, formal.AnBnCnDn, formal.AnB2n, formal.AnBmCnm}

// stack is a Stack RNN as the program's scripts have it, with so many units and ten
// stacks, of which it reads the two topmost cells.
func stack(hidden int) Network { return Network{Kind: Stack, Hidden: hidden, Count: 10, Read: 2} }

func list(hidden, lists int) Network {
	return Network{Kind: List, Hidden: hidden, Count: lists, Read: 2}
}

func (n Network) rounded() Network { n.Round = true; return n }
func (n Network) noop() Network    { n.Noop = true; return n }

// sigmas and lstms are the sizes of the baselines that the paper tried.
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
	restarts int
}

// restarts of each network with stacks or lists, and at least three of each size of
// the others.
var methods = []method{
	{"rnn", sigmas, 10},
	{"lstm", lstms, 18},
	{"list-rnn", []Network{list(40, 5)}, 10},
	{"stack-rnn", []Network{stack(40)}, 10},
	{"stack-rnn-rounding", []Network{stack(40).rounded()}, 10},
}

// Baseline tells whether a network has neither stacks nor lists. It is updated
// after every 25 symbols, since a step costs so much, at a rate of 0.5.
func (n Network) Baseline() bool { return n.Kind == Sigma || n.Kind == LSTM }

const (
	baselineEvery = 25
	baselineLR    = 0.02
)

// experiment is a row of the paper at its own size.
func experiment(r suite.Place, d Data, networks []Network, restarts int) Experiment {
	r.Paper = "stack-rnn"
	e := protocol(d, networks...)
	e.Row, e.Restarts = r, restarts
	if networks[0].Baseline() {
		e.Every, e.LR = baselineEvery, baselineLR
		e.ResetEvery = 0 // there are no stacks to be emptied
	}
	return e
}

// counting is the strings of a task of table 2.
func counting(task formal.Pattern, max int) Data {
	return Data{Task: task, Corpus: 1, Min: 2, Max: max, Epoch: 2000, ResetEvery: 1000, Valid: 1000}
}

// Table2 lists the cells of table 2, every method on every task.
func Table2() []Experiment {
	var all []Experiment
	for _, m := range methods {
		for _, task := range Counting {
			r := suite.Place{Table: "2", Row: m.row, Task: string(task)}
			all = append(all, experiment(r, counting(task, 20), m.networks, m.restarts))
		}
	}
	return all
}

// Script lists the Stack RNN with the lengths of training that the script of the
// authors' program has in place of the paper's n < 20.
func Script() []Experiment {
	var all []Experiment
	for _, rounds := range []bool{false, true} {
		for _, task := range Counting {
			most := map[formal.Pattern]int{formal.AnB2n: 20, formal.AnBmCnm: 10}[task]
			n, row := stack(40), "stack-rnn-script"
			if rounds {
				n, row = n.rounded(), "stack-rnn-rounding-script"
			}
			if most == 0 || rounds && task == formal.AnBmCnm {
				most = 15
			}
			d := counting(task, most)
			d.Long = true
			all = append(all, experiment(suite.Place{Section: "5.1", Row: row, Task: string(task)}, d, []Network{n}, 10))
		}
	}
	return all
}

// Figure2 lists the networks of figure 2: memorization with and without a no-op,
// of which the paper speaks and its script does not, and addition.
func Figure2() []Experiment {
	memory := Data{Task: formal.Memorization, Corpus: 1, Min: 2, Max: 20, Epoch: 2000, ResetEvery: 100, Valid: 1000}
	sum := Data{Task: formal.Addition, Corpus: 1, Max: 20, Epoch: 10_000, ResetEvery: 10, Valid: 1000}
	var all []Experiment
	add := func(row string, d Data, n Network, restarts int) {
		r := suite.Place{Figure: "2", Row: row, Task: string(d.Task)}
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

// Traced lists the networks whose stacks tables and figures show: that of table 3
// and that of figure 3, with rounded actions both.
func Traced() []Experiment {
	small := Network{Kind: Stack, Hidden: 20, Count: 2, Read: 1, Round: true}
	d := counting(formal.AnB2n, 15)
	d.Long = true
	sum := Data{Task: formal.Addition, Corpus: 1, Max: 20, Epoch: 10_000, ResetEvery: 10, Valid: 1000}
	return []Experiment{
		experiment(suite.Place{Table: "3", Row: "stack-rnn", Task: string(formal.AnB2n)}, d, []Network{small}, 10),
		experiment(suite.Place{Figure: "3", Row: "stack-rnn", Task: string(formal.Addition)}, sum, []Network{stack(100).noop().rounded()}, 10),
	}
}

// Smoke shrinks an experiment to less than a second: the pipeline, not the result.
func (e Experiment) Smoke() Experiment {
	e.Networks, e.Restarts = e.Networks[:1], 1
	e.Max, e.Epoch, e.ResetEvery, e.Valid, e.Epochs = 4, 12, min(e.ResetEvery, 4), 10, 2
	e.Window, e.Every = 10, min(e.Every, 5)
	e.Longest, e.PerLength, e.Capacity, e.Cells = 6, 4, 20, 30
	return e
}

// Short is the run of a plain go test: the Stack RNN with rounding on
// a^n b^m c^(n+m), by the lengths of the authors' script until it predicts strings of
// every length up to 60, which the validation loss tells.
func Short() []Experiment {
	for _, e := range Script() {
		if e.Row.Row == "stack-rnn-rounding-script" && e.Row.Task == string(formal.AnBmCnm) {
			e.Row.Row += "-short"
			e.Restarts, e.Below = 1, 0.52
			return []Experiment{e}
		}
	}
	panic("patterns: the script has no rounded network on a^n b^m c^(n+m)")
}
