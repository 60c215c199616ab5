package patterns

import (
	"path/filepath"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cuda/emulated"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// TestTrajectoryOnTheInterpreter trains the first updates of every run of
// TestTrajectory by the GPU's kernels, as an interpreter on the processor runs
// them: their digests are those of the golden file. Launches that come again are
// repeated as graphs.
func TestTrajectoryOnTheInterpreter(t *testing.T) {
	updates := 100
	if testing.Short() {
		updates = 10
	}
	dev := emulated.New()
	dev.Graphs()
	defer dev.Close()
	run := &golden.Run{Suite: "patterns", Scale: "trajectory", Contract: kernel.ContractVersion, Machine: suite.Machine(dev)}
	for _, c := range shrunken {
		name := "test=trajectory/cell=" + c.name + "/seed=1"
		x := shrink(t, name, c.task, c.network, c.every)
		res, err := train.Run(x, train.Options{Device: dev, Updates: updates})
		if err != nil {
			t.Fatal(err)
		}
		res.Trajectory.Name = golden.Name(name)
		if n := len(res.Trajectory.Points); n < 2 || n < 3 && updates > 10 {
			t.Errorf("%s: %d digests after %d updates", name, n, updates)
		}
		run.Trajectories = append(run.Trajectories, res.Trajectory)
	}
	golden.Check(t, filepath.Join("testdata", "trajectory.txt"), run)
}
