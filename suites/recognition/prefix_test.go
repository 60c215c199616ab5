package recognition

import (
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

// TestPrefix repeats the first updates of seed 1 of every row at the paper's size,
// all of which the golden file of that scale has.
func TestPrefix(t *testing.T) {
	if bench.Current().Scale != bench.CI {
		t.Skipf("scale %s: the beginnings of the runs at paper scale are repeated at scale ci: go test ./suites/recognition -run Prefix", bench.Current().Scale)
	}
	path, err := golden.Path("recognition", string(bench.Paper))
	if err != nil {
		t.Fatal(err)
	}
	dev := bench.Open(t)
	run := &golden.Run{Suite: "recognition", Scale: string(bench.Paper), Contract: kernel.ContractVersion, Machine: bench.Machine(dev)}
	for _, e := range every() {
		x, err := e.Run(1)
		if err != nil {
			t.Fatal(err)
		}
		run.Trajectories = append(run.Trajectories, bench.Train(t, dev, x, 10).Trajectory)
	}
	golden.Check(t, path, run)
}
