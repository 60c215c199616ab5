package charlm

import (
	"testing"

	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
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
