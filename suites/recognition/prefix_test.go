package recognition

import (
	"path/filepath"
	"slices"
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

// waiting tells which rows have not been run at paper scale.
func waiting(e Experiment) bool {
	if e.Row.Section != "" {
		return true // what the paper announces
	}
	of := slices.Contains([]string{"2", "3", "4"}, e.Row.Table)
	if e.Network == BabyNTM {
		return of || e.protocol() == "printed"
	}
	return of && e.protocol() == "printed"
}

// TestPrefix repeats the first updates of seed 1 of every row at the paper's size.
// Those of rows that the golden file of that scale does not have stand in a file of
// their own.
func TestPrefix(t *testing.T) {
	if bench.Current().Scale != bench.CI {
		t.Skipf("scale %s: the beginnings of the runs at paper scale are repeated at scale ci: go test ./suites/recognition -run Prefix", bench.Current().Scale)
	}
	path, err := golden.Path("recognition", string(bench.Paper))
	if err != nil {
		t.Fatal(err)
	}
	dev := bench.Open(t)
	ran := slices.DeleteFunc(every(), waiting)
	for _, c := range []struct {
		path, scale string
		complete    bool
		list        []Experiment
	}{
		{path, string(bench.Paper), false, ran},
		{filepath.Join("testdata", "prefix.txt"), "prefix", true, slices.DeleteFunc(every(), func(e Experiment) bool { return !waiting(e) })},
	} {
		run := &golden.Run{Suite: "recognition", Scale: c.scale, Contract: kernel.ContractVersion, Machine: bench.Machine(dev), Complete: c.complete}
		for _, e := range c.list {
			x, err := e.Run(1)
			if err != nil {
				t.Fatal(err)
			}
			run.Trajectories = append(run.Trajectories, bench.Train(t, dev, x, 10).Trajectory)
		}
		if len(c.list) > 0 {
			golden.Check(t, c.path, run)
		}
	}
}
