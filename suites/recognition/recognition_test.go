package recognition

import (
	"sync"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
)

var _ = golden.Flag()

func TestMain(m *testing.M) { suite.Main(m, append(Units(), speedUnits...)...) }

// part is what the test of a table runs at a scale: a moment of every row, or all
// of some rows with one seed, or all of it.
func part(table string, s suite.Scale) (list []Experiment, seeds int) {
	switch s {
	case suite.Smoke:
		for _, e := range Table(table, Networks()...) {
			list = append(list, e.Smoke())
		}
		return list, 1
	case suite.CI:
		if table != "1" {
			return nil, 0
		}
		return Table(table, DiffStkRNN), 1
	}
	return Table(table, Networks()...), 10
}

// ofTables are the claims about tables 1 to 4.
var ofTables = []string{"D01", "D02", "D03D2", "D03D3", "D03D6", "D03Pal", "D04", "D05", "D06", "D07", "D08", "D09", "D18"}

// TestTable1 trains networks on D2, by updates of one string and of eight, and
// holds every figure and digest against the golden file and the paper.
func TestTable1(t *testing.T) { runTable(t, "1") }

// TestTable2 does so on D3.
func TestTable2(t *testing.T) { runTable(t, "2") }

// TestTable3 does so on D6.
func TestTable3(t *testing.T) { runTable(t, "3") }

// TestTable4 does so on palindromes.
func TestTable4(t *testing.T) { runTable(t, "4") }

// TestTable6 trains with noise and without.
func TestTable6(t *testing.T) { runAblation(t, Table6(), "D11", "D17") }

// TestTable7 trains with noise and carry-forward and without both.
func TestTable7(t *testing.T) { runAblation(t, Table7(), "D12") }

// TestTable8 trains on all strings from the start and on strings that come in by
// length.
func TestTable8(t *testing.T) { runAblation(t, Table8(), "D13", "D14") }

// TestAnnounced runs what the paper speaks of without figures.
func TestAnnounced(t *testing.T) { runAblation(t, Announced(), "D15", "D16", "D19") }

func runAblation(t *testing.T, list []Experiment, claims ...string) {
	switch suite.Current().Scale {
	case suite.Smoke:
		for i, e := range list {
			list[i] = e.Smoke()
		}
		runAll(t, list, 1)
	case suite.CI:
		t.Skipf("scale ci: these runs are made at scales smoke and paper: PUSHDOWN_SCALE=smoke go test ./suites/recognition -run %s", t.Name())
	default:
		runAll(t, list, 10, claims...)
	}
}

func runTable(t *testing.T, table string) {
	scale := suite.Current().Scale
	list, seeds := part(table, scale)
	if len(list) == 0 {
		t.Skipf("scale %s: no row of table %s, which runs at scales smoke and paper: PUSHDOWN_SCALE=smoke go test ./suites/recognition -run Table%s", scale, table, table)
	}
	if scale == suite.Paper {
		runAll(t, list, seeds, ofTables...)
		return
	}
	runAll(t, list, seeds)
}

// runAll runs every seed of every experiment and compares the whole with the
// golden file at the end.
func runAll(t *testing.T, list []Experiment, seeds int, claims ...string) {
	scale := string(suite.Current().Scale)
	path, err := golden.Path("recognition", scale)
	if err != nil {
		t.Fatal(err)
	}
	run := &golden.Run{Suite: "recognition", Scale: scale, Contract: kernel.ContractVersion, Units: Units(), Tolerances: Tolerances(Units())}
	run.Judge.Claims = claims
	var mu sync.Mutex
	var figures traced
	var cases []suite.Case
	for _, e := range list {
		name, err := e.Row.Name(1)
		if err != nil {
			t.Fatal(err)
		}
		if suite.Current().Scale == suite.Paper && e.published() {
			run.Judge.Groups = append(run.Judge.Groups, name.Group())
		}
		for seed := 1; seed <= seeds; seed++ {
			cases = append(cases, suite.Case{Name: name.Group().WithSeed(seed), Run: func(t *testing.T) {
				dev := suite.Open(t)
				x, err := e.Run(uint64(seed))
				if err != nil {
					t.Fatal(err)
				}
				res := suite.Train(t, dev, x, 0)
				row, err := e.Report(dev, x, res)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%.0f symbols a second, ended by %s", float64(res.Rows)/res.Took.Seconds(), res.Stopped)
				for _, c := range res.Checks {
					t.Logf("update %d, rate %.3g: loss %.5f, N N* A F C of validation and test %.2f", c.Update, c.LR, c.Loss, c.Figures)
				}
				suite.Attributes(t, row, res.Params.Digest())
				var trace Trace
				drawn := e.drawn() && scale != string(suite.Smoke)
				if drawn {
					if trace, err = e.trace(dev, seed, res); err != nil {
						t.Fatal(err)
					}
				}
				mu.Lock()
				defer mu.Unlock()
				if drawn {
					if err := figures.add(e, trace); err != nil {
						t.Error(err)
					}
				}
				run.Rows = append(run.Rows, row)
				run.Trajectories = append(run.Trajectories, res.Trajectory)
				run.Machine = suite.Machine(dev)
			}})
		}
	}
	suite.RunAll(t, cases)
	if len(run.Rows) > 0 && !t.Failed() {
		golden.Check(t, path, run)
	}
	if suite.Current().Scale == suite.Paper && *golden.Flag() != "" && !t.Failed() {
		figures.keep(t, figureFolder(t))
	}
	figures.draw(t)
}

// TestTables: a table has each network twice, and no two runs have one name.
func TestTables(t *testing.T) {
	seen := map[golden.Name]bool{}
	for _, c := range tables {
		list := Table(c.table, Networks()...)
		if len(list) != 24 {
			t.Errorf("table %s has %d rows, want 24", c.table, len(list))
		}
		for _, e := range list {
			name, err := e.Row.Name(1)
			if err != nil {
				t.Fatal(err)
			}
			if seen[name] {
				t.Errorf("two rows are named %s", name)
			}
			seen[name] = true
		}
	}
	if list := Table("5", Networks()...); list != nil {
		t.Errorf("table 5 has %d rows, want none", len(list))
	}
}
