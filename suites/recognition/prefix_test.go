package recognition

import (
	"path/filepath"
	"testing"

	"pushdown/golden"
	"pushdown/harness/bench"
	"pushdown/harness/kernel"
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

// TestPrefix repeats the first updates of seed 1 of every row at the paper's size.
func TestPrefix(t *testing.T) {
	if bench.Current().Scale != bench.CI {
		t.Skipf("scale %s: the beginnings of the runs at paper scale are repeated at scale ci: go test ./suites/recognition -run Prefix", bench.Current().Scale)
	}
	dev := bench.Open(t)
	run := &golden.Run{Suite: "recognition", Scale: "prefix", Contract: kernel.ContractVersion, Machine: bench.Machine(dev), Complete: true}
	for _, e := range every() {
		x, err := e.Run(1)
		if err != nil {
			t.Fatal(err)
		}
		run.Trajectories = append(run.Trajectories, bench.Train(t, dev, x, 10).Trajectory)
	}
	golden.Check(t, filepath.Join("testdata", "prefix.txt"), run)
}
