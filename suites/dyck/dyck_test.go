package dyck

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

var _ = golden.Flag()

func TestMain(m *testing.M) {
	suite.Main(m, append(Units(), speedUnits...)...)
}

// experiment is a row of the suite.
type experiment interface {
	row() suite.Row
	Run(seed uint64) (*train.Experiment, error)
	Report(dev kernel.Device, x *train.Experiment, res *train.Result) (*Outcome, error)
}

func (e Experiment) row() suite.Row    { return e.Row }
func (e LanguageModel) row() suite.Row { return e.Row }

// smaller makes the experiments of a smoke run.
func smaller[E interface {
	experiment
	Smoke() E
}](list []E) (small []experiment) {
	for _, e := range list {
		small = append(small, e.Smoke())
	}
	return small
}

// all makes experiments of the rows as they are.
func all[E experiment](lists ...[]E) (list []experiment) {
	for _, l := range lists {
		for _, e := range l {
			list = append(list, e)
		}
	}
	return list
}

// A part is what one test runs at a scale.
type part struct {
	list   []experiment
	seeds  int
	units  []golden.Unit
	claims []string
}

// stacks are the rows of table 2 of resurgence.
func stacks(s suite.Scale) part {
	switch s {
	case suite.Smoke:
		return part{list: smaller(Table2()), seeds: 1, units: Units()}
	case suite.CI:
		return part{list: all(Table2()), seeds: 3, units: Units(), claims: []string{"R07", "R13"}}
	}
	return part{list: all(Table2(), Literal(Table2())), seeds: 10, units: Units(), claims: []string{"R07", "R13"}}
}

// unfrozen are the rows of its section 6.2.
func unfrozen(s suite.Scale) part {
	switch s {
	case suite.Smoke:
		return part{list: smaller(Unfrozen(4)), seeds: 1, units: Units()}
	case suite.CI: // the shift by one fails, in 30,000 updates
		return part{list: all(Unfrozen(4)[:2]), seeds: 1, units: Units()}
	}
	return part{list: all(Unfrozen(depths...), Literal(Unfrozen(depths...))), seeds: 10, units: Units(), claims: []string{"R09"}}
}

// readouts are the rows of its section 5.4.
func readouts(s suite.Scale) part {
	switch s {
	case suite.Smoke:
		return part{list: smaller(Readouts(4)), seeds: 1, units: Units()}
	case suite.CI:
		return part{list: all(ReducedReadouts()), seeds: 1, units: Units()}
	}
	return part{list: all(Readouts(depths...)), seeds: 3, units: Units(), claims: []string{"R08"}}
}

// languageModels are the rows of table 1 of second-order-lstm.
func languageModels(s suite.Scale) part {
	switch s {
	case suite.Smoke:
		return part{list: smaller(Table1(depths...)), seeds: 1, units: LanguageUnits()}
	case suite.CI:
		return part{list: all(Reduced()), seeds: 1, units: LanguageUnits()}
	}
	return part{
		list: all(Lengths(), Rates(depths...), Table1(depths...)), seeds: 5, units: LanguageUnits(),
		claims: []string{"S01", "S02", "S03", "S04", "S05", "S06", "S07", "S09", "S10", "S11"},
	}
}

// parts lists what the golden file of a scale holds.
func parts(s suite.Scale) []part {
	return []part{stacks(s), unfrozen(s), readouts(s), languageModels(s)}
}

// rows lists the experiments of parts.
func rows(parts []part) (list []experiment) {
	for _, p := range parts {
		list = append(list, p.list...)
	}
	return list
}

// holds tells whether a row is in the list.
func holds(list []experiment, e experiment) bool {
	return slices.ContainsFunc(list, func(x experiment) bool { return x.row() == e.row() })
}

// TestWCPA trains the Dyck-RNN on the three languages at the paper's own size
// and holds every figure and digest against the golden file and the paper.
func TestWCPA(t *testing.T) { runAll(t, stacks(suite.Current().Scale)) }

// TestUnfrozen trains the embedding as well: section 6.2.
func TestUnfrozen(t *testing.T) { runAll(t, unfrozen(suite.Current().Scale)) }

// TestReadouts trains the networks for natural language on the task of the
// Dyck-RNN: section 5.4.
func TestReadouts(t *testing.T) { runAll(t, readouts(suite.Current().Scale)) }

// TestLanguageModels trains the language models of table 1 of second-order-lstm.
func TestLanguageModels(t *testing.T) { runAll(t, languageModels(suite.Current().Scale)) }

// runAll runs every seed of every experiment, the largest first, and compares
// the whole with the golden file at the end.
func runAll(t *testing.T, p part) {
	scale := suite.Current().Scale
	path, err := golden.Path("dyck", string(scale))
	if err != nil {
		t.Fatal(err)
	}
	run := &golden.Run{
		Suite: "dyck", Scale: string(scale), Contract: kernel.ContractVersion,
		Units: p.units, Tolerances: Tolerances(p.units),
	}
	run.Judge.Claims = p.claims
	var mu sync.Mutex
	var drawn traced
	var cases []suite.Case
	for i := len(p.list) - 1; i >= 0; i-- {
		e := p.list[i]
		name, err := e.row().Name(1)
		if err != nil {
			t.Fatal(err)
		}
		if scale != suite.Smoke && e.row().Table != "" && e.row().Task == "" {
			run.Judge.Groups = append(run.Judge.Groups, name.Group())
		}
		for seed := 1; seed <= p.seeds; seed++ {
			cases = append(cases, suite.Case{Name: name.Group().WithSeed(seed), Run: func(t *testing.T) {
				dev := suite.Open(t)
				x, err := e.Run(uint64(seed))
				if err != nil {
					t.Fatal(err)
				}
				res := suite.Train(t, dev, x, 0)
				out, err := e.Report(dev, x, res)
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%.1f ns per step of a string, backward and update included", float64(res.Took.Nanoseconds())/float64(res.Rows))
				last := res.Trajectory
				last.Points = last.Points[len(last.Points)-1:]
				t.Logf("%d points of its trajectory, the last being\n%v", len(res.Trajectory.Points), last)
				show(t, out)
				lm, isLanguage := e.(LanguageModel)
				var trace Trace
				if isLanguage {
					lm.figures(t, res)
					if trace, err = lm.trace(seed, res, out); err != nil {
						t.Fatal(err)
					}
				}
				suite.Attributes(t, out.Row, res.Params.Digest())
				if seed == 1 && *golden.Flag() != "" && holds(kept(scale), e) {
					keepTrained(t, e, res.Params)
				}
				mu.Lock()
				defer mu.Unlock()
				run.Rows = append(run.Rows, out.Row)
				run.Trajectories = append(run.Trajectories, res.Trajectory)
				run.Machine = suite.Machine(dev)
				if isLanguage {
					if err := drawn.add(lm, trace); err != nil {
						t.Error(err)
					}
				}
			}})
		}
	}
	suite.RunAll(t, cases)
	if len(run.Rows) > 0 && !t.Failed() {
		golden.Check(t, path, run)
	}
	if scale == suite.Paper && *golden.Flag() != "" && !t.Failed() {
		drawn.keep(t, figureFolder(t))
	}
	drawn.draw(t)
}

// show keeps the accuracy at every distance with its cases as an artifact.
func show(t *testing.T, out *Outcome) {
	suite.Artifact(t, "ldpa.txt", func(w io.Writer) error {
		for _, c := range out.Test.LDPA.Counts() {
			if _, err := fmt.Fprintln(w, c); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestPrefix repeats the first updates of seed 1 of every run at paper scale.
// Those of the runs that the golden file of that scale does not have stand in a
// file of their own.
func TestPrefix(t *testing.T) {
	if suite.Current().Scale != suite.CI {
		t.Skipf("scale %s: the beginnings of the runs at paper scale are repeated at scale ci: go test ./suites/dyck -run Prefix", suite.Current().Scale)
	}
	path, err := golden.Path("dyck", string(suite.Paper))
	if err != nil {
		t.Fatal(err)
	}
	dev := suite.Open(t)
	ran := rows(parts(suite.Paper))
	others := slices.DeleteFunc(slices.Concat(readouts(suite.Paper).list, languageModels(suite.Paper).list), func(e experiment) bool { return holds(ran, e) })
	for _, c := range []struct {
		path, scale string
		complete    bool
		list        []experiment
	}{
		{path, string(suite.Paper), false, ran},
		{filepath.Join("testdata", "prefix.txt"), "prefix", true, others},
	} {
		run := &golden.Run{Suite: "dyck", Scale: c.scale, Contract: kernel.ContractVersion, Machine: suite.Machine(dev), Complete: c.complete}
		for _, e := range c.list {
			x, err := e.Run(1)
			if err != nil {
				t.Fatal(err)
			}
			run.Trajectories = append(run.Trajectories, suite.Train(t, dev, x, 10).Trajectory)
		}
		golden.Check(t, c.path, run)
	}
}

// TestParams counts the trained numbers of each experiment.
func TestParams(t *testing.T) {
	want := map[string]int{"dyckrnn": 5, "dyckrnn-1d": 9, "dyckrnn-2d": 16, "dyckrnn-2d-byone": 16}
	list := append(Table2(), Unfrozen(depths...)...)
	if testing.Short() {
		list = slices.DeleteFunc(list, func(e Experiment) bool { return e.M != 4 })
	}
	for _, e := range list {
		x, err := e.Run(1)
		if err != nil {
			t.Fatal(err)
		}
		res, err := train.Run(x, train.Options{Device: suite.Open(t), Updates: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Params.Count(); got != want[e.Name] {
			t.Errorf("%s trains %d numbers, want %d", x.Name, got, want[e.Name])
		}
	}
}
