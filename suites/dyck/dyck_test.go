package dyck

import (
	"fmt"
	"io"
	"sync"
	"testing"

	"pushdown/golden"
	"pushdown/harness/bench"
	"pushdown/harness/kernel"
	"pushdown/harness/train"
)

var _ = golden.Flag()

func TestMain(m *testing.M) { bench.Main(m, append(Units(), speedUnits...)...) }

// TestWCPA trains the Dyck-RNN on the three languages at the paper's own size
// and holds every figure and digest against the golden file and the paper.
func TestWCPA(t *testing.T) {
	claims := []string{"R07", "R13"}
	if bench.Current().Scale == bench.Paper {
		claims = append(claims, "R09")
	}
	runAll(t, Table2(), claims)
}

// TestUnfrozen trains the embedding as well: section 6.2.
func TestUnfrozen(t *testing.T) {
	switch bench.Current().Scale {
	case bench.Paper:
		runAll(t, Unfrozen(depths...), []string{"R09"})
	default:
		runAll(t, Unfrozen(4), nil)
	}
}

// seeds is the number of runs of a row.
func seeds() int {
	switch bench.Current().Scale {
	case bench.Smoke:
		return 1
	case bench.Paper:
		return 10
	}
	return 3
}

// runAll runs every seed of every experiment, the largest first, and compares
// the whole with the golden file at the end.
func runAll(t *testing.T, list []Experiment, claims []string) {
	scale := bench.Current().Scale
	path, err := golden.Path("dyck", string(scale))
	if err != nil {
		t.Fatal(err)
	}
	run := &golden.Run{
		Suite: "dyck", Scale: string(scale), Contract: kernel.ContractVersion,
		Units: Units(), Tolerances: Tolerances(),
	}
	if scale != bench.Smoke {
		run.Judge.Claims = claims
	}
	var mu sync.Mutex
	var cases []bench.Case
	for i := len(list) - 1; i >= 0; i-- {
		e := list[i]
		if scale == bench.Smoke {
			e = e.Smoke()
		}
		name, err := e.Row.Name(1)
		if err != nil {
			t.Fatal(err)
		}
		if scale != bench.Smoke && e.Row.Table != "" {
			run.Judge.Groups = append(run.Judge.Groups, name.Group())
		}
		for seed := 1; seed <= seeds(); seed++ {
			cases = append(cases, bench.Case{Name: name.Group().WithSeed(seed), Run: func(t *testing.T) {
				dev := bench.Open(t)
				x, err := e.Run(uint64(seed))
				if err != nil {
					t.Fatal(err)
				}
				res := bench.Train(t, dev, x, 0)
				out, err := e.Report(dev, x, res)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%.1f ns per prefix step, backward and update included", float64(res.Took.Nanoseconds())/float64(res.Rows))
				last := res.Trajectory
				last.Points = last.Points[len(last.Points)-1:]
				t.Logf("%d points of its trajectory, the last being\n%v", len(res.Trajectory.Points), last)
				show(t, out)
				bench.Attributes(t, out.Row, res.Params.Digest())
				if seed == 1 && scale == bench.CI && e.Row.Table != "" && *golden.Flag() != "" {
					keepTrained(t, e, res.Params)
				}
				mu.Lock()
				defer mu.Unlock()
				run.Rows = append(run.Rows, out.Row)
				run.Trajectories = append(run.Trajectories, res.Trajectory)
				run.Machine = bench.Machine(dev)
			}})
		}
	}
	bench.RunAll(t, cases)
	if len(run.Rows) > 0 && !t.Failed() {
		golden.Check(t, path, run)
	}
}

// show keeps the accuracy at every distance with its cases as an artifact.
func show(t *testing.T, out *Outcome) {
	bench.Artifact(t, "ldpa.txt", func(w io.Writer) error {
		for _, c := range out.Test.LDPA.Counts() {
			if _, err := fmt.Fprintln(w, c); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestPrefix repeats the first updates of seed 1 of every run at paper scale.
func TestPrefix(t *testing.T) {
	if bench.Current().Scale != bench.CI {
		t.Skipf("scale %s: the beginnings of the runs at paper scale are repeated at scale ci: go test ./suites/dyck -run Prefix", bench.Current().Scale)
	}
	path, err := golden.Path("dyck", string(bench.Paper))
	if err != nil {
		t.Fatal(err)
	}
	dev := bench.Open(t)
	run := &golden.Run{Suite: "dyck", Scale: string(bench.Paper), Contract: kernel.ContractVersion, Machine: bench.Machine(dev)}
	for _, e := range append(Table2(), Unfrozen(depths...)...) {
		x, err := e.Run(1)
		if err != nil {
			t.Fatal(err)
		}
		run.Trajectories = append(run.Trajectories, bench.Train(t, dev, x, 10).Trajectory)
	}
	golden.Check(t, path, run)
}

// TestParams counts the trained numbers of each experiment.
func TestParams(t *testing.T) {
	want := map[string]int{"dyckrnn": 5, "dyckrnn-1d": 9, "dyckrnn-2d": 16, "dyckrnn-2d-byone": 16}
	for _, e := range append(Table2(), Unfrozen(depths...)...) {
		x, err := e.Run(1)
		if err != nil {
			t.Fatal(err)
		}
		res, err := train.Run(x, train.Options{Device: bench.Open(t), Updates: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Params.Count(); got != want[e.Name] {
			t.Errorf("%s trains %d numbers, want %d", x.Name, got, want[e.Name])
		}
	}
}
