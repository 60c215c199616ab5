package recognition

import (
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// TestShortestAndLongestStrings: strings of one symbol and of ten thousand are
// trained on and judged. A stack as deep as the longest would fill a gigabyte with
// its states in training, so there it is not.
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
