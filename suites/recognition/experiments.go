package recognition

import (
	"fmt"
	"slices"
	"strings"

	"pushdown/corpora/formal"
	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite"
	"pushdown/harness/train"
	"pushdown/models"
)

// Data specifies the strings that an experiment reads.
type Data struct {
	Language   string `json:"language"`    // a name that formal.LanguageOf accepts
	CorpusSeed uint64 `json:"corpus_seed"` // belongs to the experiment: all seeds see the same strings
	// Numbers of strings in the parts of the corpus. 0 means the number that the paper
	// states.
	Train int `json:"train,omitzero"`
	Dev   int `json:"dev,omitzero"`
	Test  int `json:"test,omitzero"`
	Long  int `json:"long,omitzero"`
	// Ordinary leaves difficult strings out of training: all training strings outside of
	// the language are ordinary.
	Ordinary bool `json:"ordinary,omitzero"`
}

// Experiment is one row of a table at one scale. Build makes its run for a seed.
type Experiment struct {
	Row     suite.RowID `json:"place"`
	Network Network     `json:"network"`
	Data
	Batch   int           `json:"batch"` // strings in an update
	Rule    optim.Rule    `json:"rule"`
	Plateau optim.Plateau `json:"plateau"`
	Epochs  int           `json:"epochs"`
	BPTT    int           `json:"bptt"`           // back-propagation is truncated every so many symbols from the start of a string
	Noise   float64       `json:"noise,omitzero"` // standard deviation of the noise added to the state
	Carry   bool          `json:"carry,omitzero"` // carry-forward, in the DiffStk networks; others ignore it
	Label   Label         `json:"label,omitzero"`
	Next    Next          `json:"next,omitzero"`
	Stacks  int           `json:"stacks,omitzero"` // number of stacks; 0 means one
	Width   int           `json:"width,omitzero"`  // numbers in a cell of a DiffStk network, which then reads the top cell alone; 0 means one
	// Blocks is the number of blocks in which training strings are added, the shortest
	// first; see Shuffled.grow. 0 means that all strings are used from the start.
	Blocks int `json:"blocks,omitzero"`
}

// ID says where the paper publishes the row.
func (e Experiment) ID() suite.RowID { return e.Row }

// Label is the target of yhat.
type Label string

// The labels.
const (
	OfString Label = ""       // at each step, whether the string is in the language
	OfPrefix Label = "prefix" // at each step, whether the prefix can still be completed
	AtEnd    Label = "end"    // only at the end symbol, whether the string is in the language
)

// Next says in which strings the loss of the next symbol counts.
type Next string

// The strings.
const (
	InLanguage Next = ""    // in those of the language
	Everywhere Next = "all" // in all, as equation 1 of the paper has it
)

// evalStrings is the number of strings evaluated at a time. Their results fit the
// caches.
const evalStrings = 32

// corpus returns the description of the corpus from which strings are drawn.
func (d Data) corpus() (formal.Recognition, error) {
	lang, err := formal.LanguageOf(d.Language)
	if err != nil {
		return formal.Recognition{}, err
	}
	r := formal.NewRecognition(lang)
	for i, n := range []int{d.Train, d.Dev, d.Test, d.Long, d.Long} {
		if n != 0 {
			r.Parts[i].Strings = n
		}
	}
	return r, nil
}

// drawn is a corpus. It is read-only, so that runs can share it.
type drawn struct {
	lang  formal.Language
	parts []*formal.Labelled
}

var corpora suite.Cache[Data, drawn]

// strings returns the parts of the corpus. It draws them on the first call.
func (d Data) strings() (formal.Language, []*formal.Labelled, error) {
	c, err := corpora.Get(d, d.draw)
	return c.lang, c.parts, err
}

// draw draws the parts of the corpus.
func (d Data) draw() (c drawn, err error) {
	r, err := d.corpus()
	if err != nil {
		return c, err
	}
	parts, err := r.Draw(d.CorpusSeed)
	if err != nil {
		return c, err
	}
	if d.Ordinary {
		r.LeastDifficult, r.MostDifficult = 0, 0
		ordinary, err := r.Draw(d.CorpusSeed)
		if err != nil {
			return c, err
		}
		parts[0] = ordinary[0] // the strings of the language are the same
	}
	return drawn{r.Language, parts}, nil
}

// longest returns the maximum length of the strings of some parts, End included.
func longest(parts ...*formal.Labelled) int {
	n := 0
	for _, p := range parts {
		n = max(n, p.Part.MaxLength+1)
	}
	return n
}

// check returns an error if the experiment is invalid. The parameter is the number of training
// strings.
func (e Experiment) check(training int) error {
	switch {
	case !slices.Contains(Networks(), e.Network):
		return fmt.Errorf("network: have %q, want one of %v", e.Network, Networks())
	case e.Epochs < 1:
		return fmt.Errorf("epochs: have %d, want at least 1", e.Epochs)
	case !slices.Contains([]Label{OfString, OfPrefix, AtEnd}, e.Label):
		return fmt.Errorf("label: have %q, want none, %q or %q", e.Label, OfPrefix, AtEnd)
	case !slices.Contains([]Next{InLanguage, Everywhere}, e.Next):
		return fmt.Errorf("next: have %q, want nothing or %q", e.Next, Everywhere)
	case e.Stacks < 0 || e.Stacks > 1 && !e.Network.severalStacks():
		return fmt.Errorf("stacks: have %d in %s, want at most one", e.Stacks, e.Network)
	case e.Width != 0 && !strings.HasPrefix(string(e.Network), "diffstk-"):
		return fmt.Errorf("width: have cells of %d numbers in %s, want a DiffStk network", e.Width, e.Network)
	case e.Blocks < 0 || e.Blocks > min(training, mostBlocks):
		return fmt.Errorf("blocks: have %d, want 0 to %d", e.Blocks, min(training, mostBlocks))
	}
	return nil
}

// Build returns the run of a seed. Each validation records the readings of accuracy on
// the development strings and on the test strings.
func (e Experiment) Build(seed uint64) (*train.Experiment, error) {
	lang, parts, err := e.strings()
	if err != nil {
		return nil, err
	}
	name, err := e.Row.Name(int(seed))
	if err != nil {
		return nil, err
	}
	if err := e.check(parts[0].Len()); err != nil {
		return nil, fmt.Errorf("recognition: %s: %w", name, err)
	}
	source, err := NewShuffled(lang, parts[0], e.Batch, seed)
	if err != nil {
		return nil, err
	}
	source.grow(e.Blocks)
	valid, test := NewStrings(lang, parts[1], evalStrings), NewStrings(lang, parts[2], evalStrings)
	for _, s := range []*Strings{source.strings, valid, test} {
		s.label, s.next = e.Label, e.Next
	}
	x := &train.Experiment{
		Name: string(name), About: e, Build: e.build(formal.Symbols(lang), longest(parts[0]), longest(parts...)),
		Train: source, Valid: valid, Observe: valid.observe, ExtraSets: []train.ExtraSet{{Set: test, Observe: test.observe}},
		Seed: seed, Rule: e.Rule, Plateau: e.Plateau, MaxUpdates: e.Epochs * source.PerEpoch(), BPTT: e.BPTT,
		PerString: true, Best: true,
	}
	if source.inUse != nil {
		x.ExtraSets = append(x.ExtraSets, train.ExtraSet{Set: source.inUse, Observe: source.accuracy})
		x.OnValidation = source.setLimit
	}
	return x, nil
}

// corpusSeed is the seed of the strings of every experiment.
const corpusSeed = 1

// tables lists the languages of tables 1 to 4.
var tables = []struct{ table, language string }{{"1", "D2"}, {"2", "D3"}, {"3", "D6"}, {"4", "palindrome"}}

// languages returns the languages of one of tables 1 to 4. Table 4 has several readings of its
// palindromes, of which the first is that of the rows without a task.
func languages(number string) (list []string) {
	for _, t := range tables {
		if t.table == number {
			list = append(list, t.language)
		}
	}
	if number == "4" {
		list = append(list, "palindrome-mapped", "palindrome-mapped-unmarked")
	}
	return list
}

// plain returns the experiment of a network on a language. It has an update for each
// string, no noise and no carry-forward.
func plain(table, language string, n Network) Experiment {
	return Experiment{
		Row:     suite.RowID{Paper: "diffstk", Table: table, Row: string(n)},
		Network: n, Data: Data{Language: language, CorpusSeed: corpusSeed},
		Batch: 1, Rule: optim.Rule{Method: optim.Adam, LR: 2e-3, Clip: 15},
		Plateau: optim.Plateau{Patience: 3, Factor: 0.5, Floor: 1e-4},
		Epochs:  30, BPTT: 50,
	}
}

// printed returns an experiment of tables 1 to 4, with noise and carry-forward. The
// paper does not state noise and carry-forward for these tables, but its tables 7 and 8
// imply them: the columns "with changes" and "sequential", which have both, equal the test
// columns of table 1 digit for digit. The other columns differ. Networks without a NO-OP,
// which are those without a stack and the Stack RNN, have only noise.
func printed(table, language string, n Network) Experiment {
	e := plain(table, language, n)
	e.Noise, e.Carry = noise, true
	return e
}

// batched returns the experiment with updates of 8 strings at five times the learning
// rate. The networks that learn less well with 8 strings have 4.
func (e Experiment) batched() Experiment {
	e.Row.Task, e.Batch, e.Rule.LR = "batch8", 8, 1e-2
	switch e.Network {
	case DiffStkLSTM, DiffStkMLSTM, DiffStkMIRNN:
		e.Row.Task, e.Batch = "batch4", 4
	}
	return e
}

// lateCuts returns the experiment without a cut of the learning rate before epoch 20.
// The paper halves the rate "when validation has not improved in the last three checks"
// and does not say how often it checks. With a check every five epochs the fourth
// check, at epoch 20, is the first after which it can halve the rate.
func (e Experiment) lateCuts() Experiment {
	e.Row.Task, e.Plateau.From = "late-cuts", 20
	return e
}

// cutsInARow returns the experiment with another reading of the sentence about cuts: a cut
// needs three epochs in a row, none of which is better than the epoch before.
func (e Experiment) cutsInARow() Experiment {
	e.Row.Task, e.Plateau.Consecutive = "cuts-in-a-row", true
	return e
}

// wide returns the experiment with another reading of equation 4: P has three columns because a cell is a vector of
// three numbers, and the network reads the top cell alone; see [models.DiffStk].
func (e Experiment) wide() Experiment {
	e.Row.Task, e.Width = "wide-cell", 3
	return e
}

// byLength returns the experiment with training strings added by length, as in table 8.
func (e Experiment) byLength() Experiment {
	e.Row.Task += "-by-length"
	e.Blocks = blocks
	return e
}

// Variants lists further rows for one of tables 1 to 4, with other readings of the paper,
// which are not judged. For each network there is a row with late cuts of the learning
// rate. On D2 there is also a row with another reading of when the rate is cut. For
// palindromes, which are hardly learned otherwise, there is also a row with late cuts and
// strings added by length. On D6 there is a row with another reading of a cell of the stack.
func Variants(number string, networks ...Network) (list []Experiment) {
	for _, t := range tables {
		if t.table != number {
			continue
		}
		for _, n := range networks {
			e := printed(t.table, t.language, n).lateCuts()
			list = append(list, e)
			switch t.language {
			case "D2":
				list = append(list, printed(t.table, t.language, n).cutsInARow())
			case "palindrome":
				list = append(list, e.byLength())
			case "D6":
				if n == DiffStkRNN {
					list = append(list, printed(t.table, t.language, n).wide())
				}
			}
		}
	}
	return list
}

// AllStrings lists rows for one of tables 1 to 4 in which the loss of the next symbol also counts in strings outside of
// the language: equation 1 of the paper gives it the weight 1 in every string. An update has one string, as the search
// has chosen for most networks. There is one stack; networks that may have several also have a row with ten.
func AllStrings(number string) (list []Experiment) {
	for _, language := range languages(number) {
		for _, n := range Networks() {
			list = append(list, settings{1, 1}.of(number, language, n, "all-strings"))
			if n.severalStacks() {
				list = append(list, settings{10, 1}.of(number, language, n, "all-strings-stacks10"))
			}
		}
	}
	for i := range list {
		list[i].Next = Everywhere
	}
	return list
}

// SmallCorpus lists rows for table 1 with the other number of strings that the paper states, 2,000 in each of
// training, development and test, and the settings that the search has chosen with 6,230, 1,000 and 3,000.
func SmallCorpus() (list []Experiment) {
	for _, n := range Networks() {
		for _, e := range Searched("1", "D2", n) {
			e.Row.Task = strings.Replace(e.Row.Task, "searched", "small-corpus", 1)
			e.Train, e.Dev, e.Test = 2000, 2000, 2000
			list = append(list, e)
		}
	}
	return list
}

// Table lists the rows of one of tables 1 to 4, with the rate, the epochs and the bounds that the paper prints. The
// number of strings in an update and of stacks, initial weights, the floor of the rate and the strings in which
// the next symbol counts are ours.
// Each row is followed by a row that makes an update for several strings instead of one.
func Table(number string, networks ...Network) (list []Experiment) {
	for _, t := range tables {
		if t.table != number {
			continue
		}
		for _, n := range networks {
			e := printed(t.table, t.language, n)
			list = append(list, e, e.batched())
		}
	}
	return list
}

// Smoke shrinks an experiment to less than a second. It exercises the pipeline; the
// result means nothing.
func (e Experiment) Smoke() Experiment {
	e.Train, e.Dev, e.Test, e.Long, e.Epochs = 64, 32, 32, 16, 2
	return e
}

// noise is the standard deviation of the noise. The paper does not give it.
const noise = 0.05

// mostBlocks keeps the passes of an epoch through a block below the limit of [batch.Source.Limit].
const mostBlocks = 100

// blocks is the number of blocks in which strings are added by length.
const blocks = 10

// ablated returns the networks of tables 6 to 8.
func ablated() []Network {
	return []Network{RNN, LSTM, StackRNN, DiffStkRNN, DiffStkMRNN, DiffStkMIRNN}
}

// at returns the experiment as a row of another table: with the given place in the
// paper and the given task.
func (e Experiment) at(place suite.RowID, task string) Experiment {
	place.Paper, place.Row, place.Task = "diffstk", string(e.Network), task
	e.Row = place
	return e
}

// Table6 lists the rows of table 6: each network without noise and with noise alone. The rows
// without noise are also the control of table 7. The other rows of table 7 are rows of
// [Table] 1, which have noise and carry-forward.
func Table6() (list []Experiment) {
	place := suite.RowID{Table: "6"}
	for _, n := range ablated() {
		e := plain("1", "D2", n)
		list = append(list, e.at(place, "without-noise"))
		e.Noise = noise
		list = append(list, e.at(place, "with-noise"))
	}
	return list
}

// SearchedTable6 lists the rows of [Table6] with the settings that the search on D2 has chosen.
func SearchedTable6() (list []Experiment) {
	place := suite.RowID{Table: "6"}
	for _, n := range ablated() {
		for _, e := range Searched("1", "D2", n) {
			task := e.Row.Task
			e.Noise, e.Carry = 0, false
			list = append(list, e.at(place, "without-noise-"+task))
			e.Noise = noise
			list = append(list, e.at(place, "with-noise-"+task))
		}
	}
	return list
}

// Table8 lists the rows of table 8 in which strings are added by length, in ten blocks. The
// other rows of table 8 are rows of [Table] 1, which have all strings from the start. The
// paper gives no schedule; see Shuffled.grow.
func Table8() (list []Experiment) {
	for _, n := range ablated() {
		e := printed("1", "D2", n)
		e.Blocks = blocks
		list = append(list, e.at(suite.RowID{Table: "8"}, "incremental"))
	}
	return list
}

// SearchedTable8 lists the rows of [Table8] with the settings that the search on D2 has chosen.
func SearchedTable8() (list []Experiment) {
	for _, n := range ablated() {
		for _, e := range Searched("1", "D2", n) {
			task := e.Row.Task
			e.Blocks = blocks
			list = append(list, e.at(suite.RowID{Table: "8"}, "incremental-"+task))
		}
	}
	return list
}

// Announced lists experiments that section 3 of the paper mentions without numbers.
// Three are compared with the runs of [Table] 1: no difficult strings in training, a
// label only at the end, and a label that says whether each prefix is viable. The fourth,
// carry-forward alone, is compared with the control of [Table6].
func Announced() (list []Experiment) {
	place := suite.RowID{Section: "3"}
	for _, n := range []Network{DiffStkRNN, DiffStkMRNN} {
		ordinary, carry, end, prefix := printed("1", "D2", n), plain("1", "D2", n), printed("1", "D2", n), printed("1", "D2", n)
		ordinary.Ordinary, carry.Carry, end.Label, prefix.Label = true, true, AtEnd, OfPrefix
		list = append(list, ordinary.at(place, "ordinary"), carry.at(place, "carry-forward"),
			end.at(place, "end-label"), prefix.at(place, "prefix-label"))
	}
	return list
}

// Network names a row of tables 1 to 4.
type Network string

// The networks, in the order of the tables.
const (
	RNN             Network = "rnn"
	LSTM            Network = "lstm"
	GRU             Network = "gru"
	DeltaRNN        Network = "delta-rnn"
	StackRNN        Network = "stack-rnn"
	StackRNNSoftmax Network = "stack-rnn-softmax"
	BabyNTM         Network = "baby-ntm-softmax"
	DiffStkRNN      Network = "diffstk-rnn"
	DiffStkLSTM     Network = "diffstk-lstm"
	DiffStkMRNN     Network = "diffstk-mrnn"
	DiffStkMLSTM    Network = "diffstk-mlstm"
	DiffStkMIRNN    Network = "diffstk-mirnn"
)

// Networks lists the networks in the order of the tables.
func Networks() []Network {
	return []Network{RNN, LSTM, GRU, DeltaRNN, StackRNN, StackRNNSoftmax, BabyNTM,
		DiffStkRNN, DiffStkLSTM, DiffStkMRNN, DiffStkMLSTM, DiffStkMIRNN}
}

// hidden is the number of units of every network.
const hidden = 8

// severalStacks reports whether the network may have several stacks.
func (n Network) severalStacks() bool {
	return slices.Contains([]Network{StackRNN, DiffStkRNN, DiffStkLSTM, DiffStkMRNN, DiffStkMLSTM, DiffStkMIRNN}, n)
}

// cell returns the network's cell. longest is the maximum length of a string, with End.
// Noise is added to the state of every network. Carry-forward needs a NO-OP, which only
// the DiffStk networks have.
func (e Experiment) cell(longest int) (models.Reader, error) {
	noise, stack := e.Noise, models.NewDiffStk(longest)
	stack.Stacks, stack.Noise, stack.Carry = e.Stacks, noise, e.Carry
	if e.Width > 1 {
		stack.Read, stack.Width = 1, e.Width
	}
	switch e.Network {
	case RNN:
		return models.F1RNN{Hidden: hidden, Noise: noise}, nil
	case LSTM:
		return models.F1LSTM{Hidden: hidden, Noise: noise}, nil
	case GRU:
		return models.GRU{Hidden: hidden, Noise: noise}, nil
	case DeltaRNN:
		return models.DeltaRNN{Hidden: hidden, Noise: noise}, nil
	case StackRNN:
		c := models.RecognizerStackRNN(longest)
		c.Stacks, c.Noise = max(1, e.Stacks), noise
		return c, nil
	case StackRNNSoftmax:
		c := models.NewStackRNNSoftmax()
		c.Capacity = min(c.Capacity, longest+1) // deeper cells hold zeros and pop zeros
		c.Noise = noise
		return c, nil
	case BabyNTM:
		c := models.NewBabyNTM()
		c.Noise = noise
		return c, nil
	case DiffStkRNN:
		return models.DiffStkRNN{DiffStk: stack}, nil
	case DiffStkLSTM:
		return models.DiffStkLSTM{DiffStk: stack}, nil
	case DiffStkMRNN:
		return models.DiffStkMRNN{DiffStk: stack}, nil
	case DiffStkMLSTM:
		return models.DiffStkMLSTM{DiffStk: stack}, nil
	case DiffStkMIRNN:
		return models.DiffStkMIRNN{DiffStk: stack}, nil
	}
	return nil, fmt.Errorf("recognition: unknown network %q, want one of %v", e.Network, Networks())
}

// build returns a function that builds the step graph. The stacks are deep enough for the
// longest training string in training, and for the longest string of any part in
// evaluation. The parameters train and longest are the numbers of symbols of these two
// strings.
func (e Experiment) build(symbols, train, longest int) func(stepgraph.Config) (*stepgraph.Graph, error) {
	return func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
		n := longest
		if cfg.Training {
			n = train
		}
		cell, err := e.cell(n)
		if err != nil {
			return nil, err
		}
		r, err := models.NewRecognizer(cell, symbols)
		if err != nil {
			return nil, err
		}
		r.LabelWeighted = e.Label == AtEnd
		return r.Build(cfg)
	}
}
