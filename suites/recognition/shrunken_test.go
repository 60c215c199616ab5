package recognition

import (
	"fmt"
	"testing"

	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// shrunkenRows lists rows with a few strings. It has both rows of table 1 for every
// network, some rows of the other tables, and each DiffStk network with noise and
// carry-forward.
func shrunkenRows() (list []Experiment) {
	for i, n := range Networks() {
		for _, e := range Table("1", n) {
			e.Language = tables[i%len(tables)].language
			e.Data.Train, e.Dev, e.Test, e.Long, e.Epochs = 96, 40, 40, 16, 6
			e.Rule.LR, e.Plateau.Patience, e.BPTT = 0.02, 1, 9
			list = append(list, e)
		}
	}
	for i, e := range []Experiment{Table6()[1], Table6()[3], Table6()[5], Table8()[3], Announced()[0], Announced()[2], Announced()[3]} {
		e.Data.Train, e.Dev, e.Test, e.Long, e.Epochs, e.Batch = 96, 40, 40, 16, 6, 1+i%3
		e.Rule.LR, e.Plateau.Patience, e.BPTT = 0.02, 1, 9
		list = append(list, e)
	}
	for _, n := range []Network{StackRNN, DiffStkMRNN} { // with several stacks
		e := list[0]
		e.Network, e.Language, e.Batch, e.Stacks, e.Noise, e.Carry = n, "palindrome-mapped-unmarked", 2, 3, 0.05, true
		e.Row.Row, e.Row.Task = string(n), "stacks3"
		list = append(list, e)
	}
	for _, n := range []Network{DiffStkRNN, DiffStkLSTM, DiffStkMRNN, DiffStkMLSTM, DiffStkMIRNN} {
		e := list[0]
		e.Network, e.Language, e.Noise, e.Carry = n, "D2", 0.05, true
		e.Row.Row, e.Row.Task = string(n), "noise-carry"
		list = append(list, e)
	}
	return list
}

// shrunken returns the small runs.
func shrunken(t testing.TB) (list []*train.Experiment) {
	t.Helper()
	for _, e := range shrunkenRows() {
		x := suitetest.Must(e.Build(1))(t)
		x.Name = trajectoryName(e)
		list = append(list, x)
	}
	return list
}

func trajectoryName(e Experiment) string {
	return fmt.Sprintf("test=trajectory/network=%s/language=%s/batch=%d/noise=%v/task=%s/seed=1", e.Network, e.Language, e.Batch, e.Noise, task(e))
}

// task returns the task of a row, or "none".
func task(e Experiment) string {
	if e.Row.Task == "" {
		return "none"
	}
	return e.Row.Task
}
