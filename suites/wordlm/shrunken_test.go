package wordlm

import (
	"testing"

	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// shrunken lists a small run of every row, built by the same code as the runs at full
// size. All of them halve the learning rate after an epoch without a new best loss. The small
// runs of [Table2] stop after three such epochs in a row.
func shrunken(t testing.TB) []*train.Experiment {
	t.Helper()
	var list []*train.Experiment
	for _, e := range Table2() {
		e = e.Smoke()
		e.Limit, e.Epochs, e.Rule.LR, e.Rule.ClipNorm = 120, 30, 0.03, 0.5
		e.Plateau.Patience, e.Plateau.Factor, e.Plateau.Stop = 1, 0.5, 3
		x := suitetest.Must(e.Build(1))(t)
		x.Name = "test=trajectory/cell=" + e.Row.Row + "/seed=1"
		list = append(list, x)
	}
	for _, e := range Continued() {
		e = e.Smoke()
		e.Epochs, e.Rule.LR, e.Rule.ClipNorm = 12, 0.03, 0.5
		e.Plateau.Patience, e.Plateau.Factor, e.Plateau.Stop = 1, 0.5, 4
		x := suitetest.Must(e.Build(1))(t)
		x.Name = "test=trajectory/cell=" + e.Row.Row + "-stream/seed=1"
		list = append(list, x)
	}
	for _, e := range append(Streams(), Noisy()...) {
		if e.Noise != 0 && e.Network != DiffStkRNN {
			continue // one network with noise is enough
		}
		e = e.Smoke()
		e.Epochs = 6
		x := suitetest.Must(e.Build(1))(t)
		cell := e.Row.Paper + "-" + e.Row.Row
		if e.Noise != 0 {
			cell += "-noise"
		}
		x.Name = "test=trajectory/cell=" + cell + "/seed=1"
		list = append(list, x)
	}
	return list
}
