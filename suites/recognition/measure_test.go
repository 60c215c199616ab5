package recognition

import (
	"fmt"
	"math"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/metric"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/models"
)

// TestMeasureIsTheValidation evaluates the best parameters of a run again, with Evaluate, on
// the development and the test strings. The values must be exactly those of the validation
// that found the parameters.
func TestMeasureIsTheValidation(t *testing.T) {
	dev := suite.Open(t)
	for _, n := range Networks() {
		e := printed("1", "D2", n).batched().Smoke()
		e.Train, e.Epochs = 160, 2
		x := suitetest.Must(e.Build(1))(t)
		res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
		var have []float64
		for _, split := range []formal.Split{formal.Dev, formal.Test} {
			r := suitetest.Must(e.Evaluate(dev, res.Params, 1, split))(t)
			have = append(have, figures(r)...)
		}
		suitetest.Equal(t, suite.Best(res.Checks).Figures, have, "%s: figures of the best parameters", n)
	}
	if _, err := printed("1", "D2", LSTM).Smoke().Evaluate(dev, nil, 1, "none"); err == nil || err.Error() != `recognition: the corpus has no part "none"` {
		t.Errorf("got error %v, want one that names the part", err)
	}
}

// TestJudge checks that the judge finds the same accuracy whether strings are evaluated
// singly or in batches.
func TestJudge(t *testing.T) {
	lang, corpus := small(t, "D2", 30, 2, 14)
	cell := models.F1LSTM{Hidden: 4}
	r := suitetest.Must(models.NewRecognizer(cell, formal.Symbols(lang)))(t)
	var found []metric.Recognition
	for _, size := range []int{1, 7, 30} {
		set := NewStrings(lang, corpus, size)
		j := newJudge(set)
		suitetest.Must(train.Evaluate(r.Build, suite.Open(t), set, 3, initial(t, r, set), j.visit))(t)
		found = append(found, j.found)
	}
	for _, f := range found[1:] {
		suitetest.Equal(t, found[0], f, "strings judged together")
	}
	if f := found[0]; f.A.Cases != 30 || f.N.Cases != 15 {
		t.Errorf("%d and %d cases, want 30 strings, 15 of them in the language", f.A.Cases, f.N.Cases)
	}
}

// initial returns the parameters of a network after one update.
func initial(t *testing.T, r *models.Recognizer, set *Strings) *train.Params {
	t.Helper()
	e := printed("1", "D2", LSTM)
	source := suitetest.Must(NewShuffled(set.lang, set.corpus, 5, 1))(t)
	res := suitetest.Must(train.Run(&train.Experiment{Name: "initial", Build: r.Build, Train: source, Valid: set, Seed: 1, Rule: e.Rule, MaxUpdates: 1, PerString: true}, train.Options{Device: suite.Open(t)}))(t)
	return res.Params
}

// TestBadExperiments checks that bad experiments are errors.
func TestBadExperiments(t *testing.T) {
	for _, c := range []struct {
		change func(e *Experiment)
		want   string
	}{
		{func(e *Experiment) { e.Language = "D9" }, `unknown language "D9", want D1 to D7, or one of [palindrome palindrome-mapped palindrome-mapped-unmarked]`},
		{func(e *Experiment) { e.Batch = 0 }, `recognition: batches of 0 of 64 strings, want at least one string and one batch`},
		{func(e *Experiment) { e.Epochs = 0 }, `recognition: paper=diffstk/table=1/row=lstm/seed=1: epochs: have 0, want at least 1`},
		{func(e *Experiment) { e.Next = "none" }, `recognition: paper=diffstk/table=1/row=lstm/seed=1: next: have "none", want nothing or "all"`},
		{func(e *Experiment) { e.Label = "start" }, `recognition: paper=diffstk/table=1/row=lstm/seed=1: label: have "start", want none, "prefix" or "end"`},
		{func(e *Experiment) { e.Blocks = -1 }, `recognition: paper=diffstk/table=1/row=lstm/seed=1: blocks: have -1, want 0 to 64`},
		{func(e *Experiment) { e.Blocks = 65 }, `recognition: paper=diffstk/table=1/row=lstm/seed=1: blocks: have 65, want 0 to 64`},
		{func(e *Experiment) { e.Network = "tree" }, fmt.Sprintf(`recognition: paper=diffstk/table=1/row=lstm/seed=1: network: have "tree", want one of %v`, Networks())},
		{func(e *Experiment) { e.Row.Row = "a b" }, `name "paper=diffstk/table=1/row=a b/seed=1": part 3: have "row=a b", want key=value of letters, digits, '.', '_', '+', '-'`},
		{func(e *Experiment) { e.Train = 1 }, `recognition corpus of D2: part "train": 1 strings, want 2 to 16777216`},
	} {
		e := printed("1", "D2", LSTM).Smoke()
		c.change(&e)
		if _, err := e.Build(1); err == nil || err.Error() != c.want {
			t.Errorf("got error %v, want %q", err, c.want)
		}
	}
	for _, noise := range []float64{-1, math.NaN(), math.Inf(1)} {
		for _, n := range []Network{RNN, LSTM, StackRNN, DiffStkRNN} {
			e := printed("1", "D2", n).Smoke()
			e.Noise = noise
			x := suitetest.Must(e.Build(1))(t)
			_, err := x.Build(stepgraph.Config{})
			suitetest.Error(t, err, fmt.Sprintf("noise is %v, want", noise))
		}
	}
}

// TestShortestAndLongestStrings trains and evaluates on strings of one symbol and on
// strings of about ten thousand symbols. When it trains on long strings the stack has 100
// cells, because the states of a stack as deep as the string would fill a gigabyte.
func TestShortestAndLongestStrings(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains on strings of ten thousand symbols: go test ./suites/recognition -run ShortestAndLongestStrings")
	}
	dev := suite.Open(t)
	for _, c := range []struct {
		language           string
		least, most, cells int
	}{{"palindrome", 1, 1, 3}, {"D2", 9_000, 10_000, 100}, {"palindrome", 9_999, 9_999, 100}} {
		lang, corpus := small(t, c.language, 2, c.least, c.most)
		for _, n := range []Network{LSTM, DiffStkMRNN, StackRNN} {
			e := printed("1", c.language, n)
			source := suitetest.Must(NewShuffled(lang, corpus, 1, 1))(t)
			set := NewStrings(lang, corpus, 2)
			deep := e.build(formal.Symbols(lang), c.cells, c.most)
			x := &train.Experiment{Name: string(n), Build: deep, Train: source, Valid: set, Observe: set.observe,
				Seed: 1, Rule: e.Rule, BPTT: e.BPTT, MaxUpdates: 2, PerString: true}
			res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
			if rows := int64(corpus.Symbols()); res.Rows != rows || len(res.Checks) != 1 {
				t.Errorf("%s on %s: %d symbols trained and %d validations, want %d and 1", n, c.language, res.Rows, len(res.Checks), rows)
			}
			g := suitetest.Must(deep(stepgraph.Config{}))(t)
			for _, s := range g.States {
				if s.Stacks > 0 && s.Width != c.most+2 {
					t.Errorf("%s on %s: %d cells in evaluation, want %d", n, c.language, s.Width, c.most+2)
				}
			}
		}
	}
}
