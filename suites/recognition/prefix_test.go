package recognition

import (
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
)

// every lists all rows at the paper's size.
func every() (list []Experiment) {
	for _, c := range tables {
		list = append(list, Table(c.table, Networks()...)...)
	}
	for _, more := range [][]Experiment{Table6(), Table7(), Table8(), Announced()} {
		list = append(list, more...)
	}
	return list
}

// TestPrefix repeats the first updates of seed 1 of every row at the paper's size,
// all of which the golden file of that scale has.
func TestPrefix(t *testing.T) {
	if suite.Current().Scale != suite.CI {
		t.Skipf("scale %s: the beginnings of the runs at paper scale are repeated at scale ci: go test ./suites/recognition -run Prefix", suite.Current().Scale)
	}
	path, err := golden.Path("recognition", string(suite.Paper))
	if err != nil {
		t.Fatal(err)
	}
	dev := suite.Open(t)
	run := &golden.Run{Suite: "recognition", Scale: string(suite.Paper), Contract: kernel.ContractVersion, Machine: suite.Machine(dev)}
	for _, e := range every() {
		x, err := e.Run(1)
		if err != nil {
			t.Fatal(err)
		}
		run.Trajectories = append(run.Trajectories, suite.Train(t, dev, x, 10).Trajectory)
	}
	golden.Check(t, path, run)
}
