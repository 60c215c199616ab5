package dyck

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cuda/emulated"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// TestTrajectoryOnTheInterpreter trains the first update of every run of
// TestTrajectory, and more of some, by the GPU's kernels, as an interpreter on the processor runs
// them: their digests are those of the golden file.
func TestTrajectoryOnTheInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: interprets the kernels of a GPU: go test ./suites/dyck -run TrajectoryOnTheInterpreter")
	}
	// Runs that go on to the first decisions: the others end at the first digest.
	longer := []string{"cell=dyckrnn/protocol=plateau", "cell=mmlstm/protocol=plateau", "cell=assignment/protocol=table1"}
	dev := emulated.New()
	defer dev.Close()
	run := &golden.Run{Suite: "dyck", Scale: "trajectory", Contract: kernel.ContractVersion, Machine: suite.Machine(dev)}
	for _, e := range trajectories(t) {
		updates := 1
		if slices.ContainsFunc(longer, func(name string) bool { return strings.Contains(e.Name, name) }) {
			updates = 10
		}
		res, err := train.Run(e, train.Options{Device: dev, Updates: updates})
		if err != nil {
			t.Fatal(err)
		}
		res.Trajectory.Name = golden.Name(e.Name)
		if n := len(res.Trajectory.Points); n < 1 || n < 2 && updates > 1 {
			t.Errorf("%s: %d digests after %d updates", e.Name, n, updates)
		}
		run.Trajectories = append(run.Trajectories, res.Trajectory)
	}
	golden.Check(t, filepath.Join("testdata", "trajectory.txt"), run)
}
