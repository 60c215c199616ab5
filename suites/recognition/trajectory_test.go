package recognition

import (
	"fmt"
	"path/filepath"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// shrunken are runs of every network under the protocols of the tables on some
// strings, with noise and carry-forward where a network can have them.
func shrunken() (list []Experiment) {
	for i, n := range Networks() {
		for _, e := range Table("1", n) {
			e.Language = tables[i%len(tables)].language
			e.Data.Train, e.Dev, e.Test, e.Long, e.Epochs = 96, 40, 40, 16, 6
			e.Rule.LR, e.Plateau.Patience, e.BPTT = 0.02, 1, 9
			list = append(list, e)
		}
	}
	for i, e := range []Experiment{Table6()[1], Table6()[3], Table6()[5], Table8()[7], Announced()[0], Announced()[2], Announced()[3]} {
		e.Data.Train, e.Dev, e.Test, e.Long, e.Epochs, e.Batch = 96, 40, 40, 16, 6, 1+i%3
		e.Rule.LR, e.Plateau.Patience, e.BPTT = 0.02, 1, 9
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

// TestTrajectory trains the shrunken runs and compares each digest along the way
// with the golden file, so that one run of it says whether a machine keeps the
// numeric contract. The rate is cut in most of them, and strings are longer than
// the cut of back-propagation. With -short the first 50 updates are compared.
func TestTrajectory(t *testing.T) {
	dev := suite.Open(t)
	run := &golden.Run{Suite: "recognition", Scale: "trajectory", Contract: kernel.ContractVersion, Machine: suite.Machine(dev), Complete: true}
	most := 0 // updates: all
	if testing.Short() {
		most, run.Complete = 50, false
	}
	cuts := 0
	for _, e := range shrunken() {
		x, err := e.Run(1)
		if err != nil {
			t.Fatal(err)
		}
		res, err := train.Run(x, train.Options{Device: dev, Updates: most})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(res.Checks); n > 0 && res.Checks[n-1].LR < e.Rule.LR {
			cuts++
		}
		res.Trajectory.Name = trajectoryName(e)
		run.Trajectories = append(run.Trajectories, res.Trajectory)
	}
	if cuts < 5 && run.Complete {
		t.Errorf("the rate is cut in %d runs, want at least 5", cuts)
	}
	golden.Check(t, filepath.Join("testdata", "trajectory.txt"), run)
}

func trajectoryName(e Experiment) golden.Name {
	return golden.Name(fmt.Sprintf("test=trajectory/network=%s/language=%s/batch=%d/noise=%v/task=%s/seed=1", e.Network, e.Language, e.Batch, e.Noise, task(e)))
}

// task is what a run is for beside its row.
func task(e Experiment) string {
	if e.Row.Task == "" {
		return "none"
	}
	return e.Row.Task
}
