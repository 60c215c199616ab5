package recognition

import (
	"path/filepath"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cuda/emulated"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// TestTrajectoryOnTheInterpreter trains the first update of every run of
// TestTrajectory by the GPU's kernels, as an interpreter on the processor runs
// them: their digests are those of the golden file.
func TestTrajectoryOnTheInterpreter(t *testing.T) {
	dev := emulated.New()
	defer dev.Close()
	run := &golden.Run{Suite: "recognition", Scale: "trajectory", Contract: kernel.ContractVersion, Machine: suite.Machine(dev)}
	for i, e := range shrunken() {
		if testing.Short() && i%8 != 0 {
			continue
		}
		x, err := e.Run(1)
		if err != nil {
			t.Fatal(err)
		}
		res, err := train.Run(x, train.Options{Device: dev, Updates: 1})
		if err != nil {
			t.Fatal(err)
		}
		res.Trajectory.Name = trajectoryName(e)
		if len(res.Trajectory.Points) != 1 {
			t.Errorf("%s: %d digests after an update", res.Trajectory.Name, len(res.Trajectory.Points))
		}
		run.Trajectories = append(run.Trajectories, res.Trajectory)
	}
	golden.Check(t, filepath.Join("testdata", "trajectory.txt"), run)
}
