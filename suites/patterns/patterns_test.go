package patterns

import (
	"math"
	"testing"

	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
)

func TestMain(m *testing.M) { Suite.Main(m) }

func TestTable2(t *testing.T)   { Suite.Run(t) }
func TestVariants(t *testing.T) { Suite.Run(t) }
func TestFigure2(t *testing.T)  { Suite.Run(t) }
func TestTraces(t *testing.T)   { Suite.Run(t) }
func TestLearns(t *testing.T)   { Suite.Run(t) }

func TestSuite(t *testing.T)      { suitetest.Run(t, &Suite, shrunken) }
func BenchmarkTrain(b *testing.B) { Suite.Bench(b) }

// TestSchedule compares the schedule of every row with figures that neither settings.txt nor a shrunken run has.
func TestSchedule(t *testing.T) {
	for _, r := range Suite.Rows(suite.Paper) {
		x := suitetest.Must(r.Build(1))(t)
		e := r.Row.(Experiment)
		least, back := x.Plateau.MinLR/float64(e.Every), 0.0
		if e.Answers() {
			back = math.Log(10) / 10
		}
		if math.Abs(least/1e-5-1) > 1e-12 || math.Abs(x.Plateau.ReturnBelow-back) > 1e-12 || x.Rule.LR != e.LR*float64(e.Every) {
			t.Errorf("%s: have a rate from %v to %v for %d symbols and a return below %v, want %v times the symbols, 1e-5 times, and %v", r.ID().Group(), x.Rule.LR, x.Plateau.MinLR, e.Every, x.Plateau.ReturnBelow, e.LR, back)
		}
	}
}
