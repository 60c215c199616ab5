package patterns

import (
	"path/filepath"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// shrunken are runs of every network and every protocol of the suite on small
// problems.
var shrunken = []struct {
	name    string
	task    formal.Pattern
	network Network
	every   int
}{
	{"stack/protocol=counting", formal.AnBn, Network{Kind: Stack, Hidden: 6, Count: 2, Read: 2}, 1},
	{"stack-rounded/protocol=counting", formal.AnB2n, Network{Kind: Stack, Hidden: 5, Count: 3, Read: 1, Round: true}, 1},
	{"stack-noop/protocol=memorization", formal.Memorization, Network{Kind: Stack, Hidden: 6, Count: 2, Read: 2, Noop: true}, 1},
	{"stack-noop-rounded/protocol=addition", formal.Addition, Network{Kind: Stack, Hidden: 6, Count: 2, Read: 2, Noop: true, Round: true}, 1},
	{"list/protocol=counting", formal.AnBnCn, Network{Kind: List, Hidden: 6, Count: 2, Read: 2}, 1},
	{"list-noop/protocol=memorization", formal.Memorization, Network{Kind: List, Hidden: 5, Count: 3, Read: 1, Noop: true}, 1},
	{"list-rounded/protocol=counting", formal.AnBmCnm, Network{Kind: List, Hidden: 5, Count: 1, Read: 3, Round: true}, 1},
	{"rnn/protocol=baseline", formal.AnBnCnDn, Network{Kind: Sigma, Hidden: 7}, 4},
	{"lstm/protocol=baseline", formal.AnBn, Network{Kind: LSTM, Hidden: 5, Layers: 1}, 4},
	{"lstm-2/protocol=baseline", formal.Memorization, Network{Kind: LSTM, Hidden: 4, Layers: 2}, 3},
}

// TestTrajectory trains every network of the suite under its protocol on a
// shrunken problem and compares each digest along the way with the golden file, so
// that one run of it says whether a machine keeps the numeric contract. Each run
// goes through a halving of the rate with a return to the best parameters, and ends
// by a rate that is low enough.
func TestTrajectory(t *testing.T) {
	dev := suite.Open(t)
	run := &golden.Run{Suite: "patterns", Scale: "trajectory", Contract: kernel.ContractVersion, Machine: suite.Machine(dev), Complete: true}
	products := 0.0
	for _, c := range shrunken {
		name := "test=trajectory/cell=" + c.name + "/seed=1"
		if !t.Run(name, func(t *testing.T) {
			x := shrink(t, name, c.task, c.network, c.every)
			res, err := train.Run(x, train.Options{Device: dev})
			if err != nil {
				t.Fatal(err)
			}
			eventful(t, res)
			res.Trajectory.Name = golden.Name(name)
			t.Log("\n" + res.Trajectory.String())
			run.Trajectories = append(run.Trajectories, res.Trajectory)
			// Forward, and for the gradients twice as much through the window.
			products += float64(res.Rows) * float64(res.Params.Count()) * float64(1+2*x.Online.Window)
		}) {
			return
		}
	}
	t.Logf("%.2g multiplications", products)
	run.Complete = len(run.Trajectories) == len(shrunken) // -run may have left some out
	if run.Complete && products > 3e9 {
		t.Errorf("%.2g multiplications, want at most 3e9", products)
	}
	golden.Check(t, filepath.Join("testdata", "trajectory.txt"), run)
}

// shrink is the run of a network on a small problem.
func shrink(t *testing.T, name string, task formal.Pattern, network Network, every int) *train.Experiment {
	t.Helper()
	e := protocol(Data{Task: task, Corpus: 3, Min: least(task), Max: 5, Epoch: 12, ResetEvery: 5, Valid: 8}, network)
	e.Row = suite.Place{Paper: "stack-rnn", Section: "5.1", Row: "shrunken"}
	e.Window, e.Every, e.LR, e.Capacity, e.Clip = 7, every, 0.5, 9, 0.02
	x, err := e.Run(1)
	if err != nil {
		t.Fatal(err)
	}
	x.Name, x.Plateau.Least = name, 0.004*float64(every)
	return x
}

// eventful fails a run in which too little happens.
func eventful(t *testing.T, res *train.Result) {
	t.Helper()
	cuts, best := 0, 0
	for i, c := range res.Checks {
		if i > 0 && c.LR < res.Checks[i-1].LR {
			cuts++
		}
		if c.Best {
			best = c.Update
		}
	}
	if cuts == 0 || best == res.Updates || res.Stopped != "rate" {
		t.Errorf("%d cuts, best after update %d of %d, ended by %q, want a cut, a best before the end and an end by rate", cuts, best, res.Updates, res.Stopped)
	}
}
