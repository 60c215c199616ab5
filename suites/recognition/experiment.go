package recognition

import (
	"fmt"
	"slices"
	"sync"

	"pushdown/corpora/formal"
	"pushdown/harness/optim"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// Data says which strings an experiment reads.
type Data struct {
	Language   string `json:"language"`    // as formal.LanguageOf knows it
	CorpusSeed uint64 `json:"corpus_seed"` // belongs to the experiment: all seeds see the same strings
	// Strings of the parts; zero: those of the paper.
	Train int `json:"train,omitzero"`
	Dev   int `json:"dev,omitzero"`
	Test  int `json:"test,omitzero"`
	Long  int `json:"long,omitzero"`
	// Ordinary has none of the strings of training outside of the language difficult.
	Ordinary bool `json:"ordinary,omitzero"`
}

// Experiment is one row of a table at one scale, for any seed.
type Experiment struct {
	Row     suite.Place `json:"place"`
	Network Network     `json:"network"`
	Data
	Batch   int           `json:"batch"` // strings in an update
	Rule    optim.Rule    `json:"rule"`
	Plateau optim.Plateau `json:"plateau"`
	Epochs  int           `json:"epochs"`
	BPTT    int           `json:"bptt"`           // cut of back-propagation in symbols from the start of a string
	Noise   float64       `json:"noise,omitzero"` // standard deviation of what is added to the state, in networks that take it
	Carry   bool          `json:"carry,omitzero"` // carry-forward, of the DiffStk networks; others do the same without
	Label   Label         `json:"label,omitzero"`
	// Blocks is the number of blocks, by length, in which the strings of training
	// come in; 0: all come at once.
	Blocks int `json:"blocks,omitzero"`
}

// Place says where the paper publishes the row.
func (e Experiment) Place() suite.Place { return e.Row }

// Label says what yhat is to be.
type Label string

// The labels.
const (
	OfString Label = ""       // at each step, whether the string is in the language
	OfPrefix Label = "prefix" // at each step, whether the prefix can still be completed
	AtEnd    Label = "end"    // at the end symbol alone, whether the string is in the language
)

// strings evaluated at a time: what they write fits the caches.
const evalStrings = 32

// corpus is what the experiment's strings are drawn from.
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

// drawn is a corpus: read-only, and so shared by all runs that read it.
type drawn struct {
	lang  formal.Language
	parts []*formal.Labelled
}

var (
	drawing sync.Mutex
	corpora = map[Data]drawn{} // those that have been drawn
)

// strings draws the parts of the corpus, once.
func (d Data) strings() (formal.Language, []*formal.Labelled, error) {
	drawing.Lock()
	defer drawing.Unlock()
	if c, ok := corpora[d]; ok {
		return c.lang, c.parts, nil
	}
	r, err := d.corpus()
	if err != nil {
		return nil, nil, err
	}
	parts, err := r.Draw(d.CorpusSeed)
	if err != nil {
		return nil, nil, err
	}
	if d.Ordinary {
		r.LeastDifficult, r.MostDifficult = 0, 0
		ordinary, err := r.Draw(d.CorpusSeed)
		if err != nil {
			return nil, nil, err
		}
		parts[0] = ordinary[0] // with the same strings of the language
	}
	corpora[d] = drawn{r.Language, parts}
	return r.Language, parts, nil
}

// longest is the longest string of some parts, End counted.
func longest(parts ...*formal.Labelled) int {
	n := 0
	for _, p := range parts {
		n = max(n, p.Part.Most+1)
	}
	return n
}

// check reports what no run can be made of, with so many strings of training.
func (e Experiment) check(strings int) error {
	switch {
	case !slices.Contains(Networks(), e.Network):
		return fmt.Errorf("unknown network %q, need one of %v", e.Network, Networks())
	case e.Noise != 0 && slices.Contains([]Network{GRU, DeltaRNN, StackRNNSoftmax, BabyNTM}, e.Network):
		return fmt.Errorf("noise of %v in a network that takes none, need 0", e.Noise)
	case e.Epochs < 1:
		return fmt.Errorf("%d epochs, need at least 1", e.Epochs)
	case !slices.Contains([]Label{OfString, OfPrefix, AtEnd}, e.Label):
		return fmt.Errorf("unknown label %q, need none, %q or %q", e.Label, OfPrefix, AtEnd)
	case e.Blocks < 0 || e.Blocks > strings:
		return fmt.Errorf("%d blocks of %d strings, need 0 or blocks of at least one string", e.Blocks, strings)
	}
	return nil
}

// Build makes the run of a seed. Each validation keeps the readings of accuracy on
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
		s.label = e.Label
	}
	x := &train.Experiment{
		Name: string(name), About: e, Build: e.build(formal.Symbols(lang), longest(parts[0]), longest(parts...)),
		Train: source, Valid: valid, Observe: valid.observe, ExtraSets: []train.ExtraSet{{Set: test, Observe: test.observe}},
		Seed: seed, Rule: e.Rule, Plateau: e.Plateau, MaxUpdates: e.Epochs * source.PerEpoch(), BPTT: e.BPTT,
		PerString: true, Best: true,
	}
	if source.present != nil {
		x.ExtraSets = append(x.ExtraSets, train.ExtraSet{Set: source.present, Observe: source.accuracy})
		x.OnValidation = source.tell
	}
	return x, nil
}
