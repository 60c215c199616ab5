package charlm

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pushdown/golden/papers"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/suites/lm"
)

func TestMain(m *testing.M) { Suite.Main(m) }

func TestSentences(t *testing.T)    { Suite.Run(t) }
func TestCutSentences(t *testing.T) { Suite.Run(t) }

func TestSuite(t *testing.T)      { suitetest.Run(t, &Suite, shrunken) }
func BenchmarkTrain(b *testing.B) { Suite.Bench(b) }

// shrunken lists a small run of every row, built by the same code as the runs at full
// size. Unlike those, the small runs halve the learning rate after an epoch without a new
// best loss.
func shrunken(t testing.TB) []*train.Experiment {
	t.Helper()
	var list []*train.Experiment
	for _, e := range append(Table2(), Table3()...) {
		e = e.Smoke()
		e.Limit, e.Epochs, e.Rule.LR, e.Rule.ClipNorm = 24, 16, 0.2, 0.5
		e.Plateau.Patience, e.Plateau.Factor, e.Plateau.Stop = 1, 0.5, 3
		x := suitetest.Must(e.Build(1))(t)
		x.Name = "test=trajectory/cell=" + e.Row.Row + "/seed=1"
		list = append(list, x)
	}
	return list
}

// TestPadding checks the factor of the variants in which padding counts in the mean: the share of
// the places of batches that have a character, if the sentences of the test text come in batches of
// 128 in order of their length.
func TestPadding(t *testing.T) {
	ptb, err := lm.Characters("ptb")
	if m, ok := errors.AsType[*suite.Missing](err); ok {
		suite.Skip(t, m.Need, m.Reason, m.Remedy)
	}
	if err != nil {
		t.Fatal(err)
	}
	var lengths []int
	for i := range ptb.Test.Len() {
		lengths = append(lengths, len(ptb.Test.Target(i)))
	}
	slices.Sort(lengths)
	places := 0
	for b := range slices.Chunk(lengths, 128) {
		places += len(b) * b[len(b)-1]
	}
	want := math.Round(1e4*float64(ptb.Test.Tokens())/float64(places)) / 1e4
	found := 0
	for _, s := range papers.Shapes() {
		for _, v := range s.Variants {
			if v.Factor == 0 {
				continue
			}
			if found++; v.Factor != want {
				t.Errorf("paper %s, table %s: have the factor %v, want %v", s.Paper, s.Table, v.Factor, want)
			}
		}
	}
	if found == 0 {
		t.Error("have no variant with a factor, want some")
	}
}
