package patterns

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/kernel"
	"pushdown/harness/metric"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

var _ = golden.Flag() // -update

func TestMain(m *testing.M) {
	suite.Main(m, append(Units(), speedUnits...)...)
}

// part is what a test runs at a scale.
type part struct {
	list   []Experiment
	claims []string
}

// at is the part of some rows at a scale: all of them at the paper's own, their
// beginnings at smoke, none at ci, which has runs of its own.
func at(s suite.Scale, list []Experiment, claims ...string) part {
	switch s {
	case suite.Smoke:
		var small []Experiment
		for _, e := range list {
			small = append(small, e.Smoke())
		}
		return part{list: small}
	case suite.CI:
		return part{}
	}
	return part{list: list, claims: claims}
}

// table2, script, figure2s and traces are the parts of the paper, short those of
// a plain go test.
func table2(s suite.Scale) part {
	return at(s, Table2(), "J01", "J02", "J03", "J04", "J05", "J13")
}
func script(s suite.Scale) part   { return at(s, Script()) }
func figure2s(s suite.Scale) part { return at(s, Figure2(), "J06", "J07", "J08") }
func traces(s suite.Scale) part   { return at(s, Traced(), "J11", "J14") }
func short(s suite.Scale) part {
	if s != suite.CI {
		return part{}
	}
	return part{list: Short()}
}

// parts lists what the golden file of a scale holds.
func parts(s suite.Scale) []part {
	return []part{table2(s), script(s), figure2s(s), traces(s), short(s)}
}

// TestTable2 trains every method on every task of table 2 and tests which lengths
// it predicts.
func TestTable2(t *testing.T) { runAll(t, table2(suite.Current().Scale)) }

// TestScript trains the Stack RNN on the lengths of the authors' script.
func TestScript(t *testing.T) { runAll(t, script(suite.Current().Scale)) }

// TestFigure2 trains the networks of figure 2 on memorization and addition.
func TestFigure2(t *testing.T) { runAll(t, figure2s(suite.Current().Scale)) }

// TestTraces trains the networks of table 3 and figure 3 and shows their stacks.
func TestTraces(t *testing.T) { runAll(t, traces(suite.Current().Scale)) }

// TestLearns trains the Stack RNN with rounding on a^n b^m c^(n+m) until it predicts
// strings three times as long as those of training.
func TestLearns(t *testing.T) { runAll(t, short(suite.Current().Scale)) }

// runAll runs every restart of every experiment, the longest first, and compares
// the whole with the golden file at the end.
func runAll(t *testing.T, p part) {
	scale := suite.Current().Scale
	if len(p.list) == 0 {
		t.Skipf("scale %s: has no such runs: PUSHDOWN_SCALE=paper go test ./suites/patterns -run %s, or -short for their beginnings", scale, t.Name())
	}
	path, err := golden.Path("patterns", string(scale))
	if err != nil {
		t.Fatal(err)
	}
	run := &golden.Run{
		Suite: "patterns", Scale: string(scale), Contract: kernel.ContractVersion,
		Units: Units(), Tolerances: Tolerances(),
	}
	run.Judge.Claims = p.claims
	var mu sync.Mutex
	var cases []suite.Case
	lengths := map[golden.Name][]*metric.Lengths{}
	params := map[golden.Name]*train.Params{} // of the runs whose stacks are shown
	for i := len(p.list) - 1; i >= 0; i-- {
		e := p.list[i]
		if scale == suite.Paper && e.Row.Table == "2" {
			run.Judge.Groups = append(run.Judge.Groups, group(e.Row))
		}
		lengths[group(e.Row)] = make([]*metric.Lengths, e.Restarts)
		for seed := 1; seed <= e.Restarts; seed++ {
			cases = append(cases, suite.Case{Name: group(e.Row).WithSeed(seed), Run: func(t *testing.T) {
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
				t.Logf("%.0f symbols/s, backward and update included; ended by %s", float64(res.Rows)/res.Took.Seconds(), res.Stopped)
				show(t, e, out)
				suite.Attributes(t, out.Row, res.Params.Digest())
				if *golden.Flag() != "" && scale == suite.CI {
					keepTrained(t, e, res.Params)
				}
				mu.Lock()
				defer mu.Unlock()
				lengths[group(e.Row)][seed-1] = out.Lengths
				if e.traced() {
					params[out.Row.Name] = res.Params
				}
				run.Rows = append(run.Rows, out.Row)
				run.Trajectories = append(run.Trajectories, res.Trajectory)
				run.Machine = suite.Machine(dev)
			}})
		}
	}
	suite.RunAll(t, cases)
	if t.Failed() { // what has come to its end counts: a row may take hours
		t.Logf("%d of %d runs have come to their end and are compared or taken in alone", len(run.Rows), len(cases))
	}
	if len(run.Rows) == 0 {
		return
	}
	ran := map[golden.Name][]*metric.Lengths{} // another shard may have some
	for name, runs := range lengths {          // each by itself
		ran[name] = slices.DeleteFunc(slices.Clone(runs), func(l *metric.Lengths) bool { return l == nil })
	}
	suite.Artifact(t, "selections.txt", func(w io.Writer) error { return WriteSelections(w, Select(run.Rows)) })
	suite.Artifact(t, "lengths.txt", func(w io.Writer) error { return writeSpread(w, p.list, ran) })
	if e := p.list[0]; e.Row.Figure == "2" {
		var rows []Curves
		for _, e := range p.list {
			if runs := ran[group(e.Row)]; len(runs) > 0 {
				rows = append(rows, Curves{e, runs})
			}
		}
		suite.Artifact(t, "figure2.svg", func(w io.Writer) error {
			g, err := Figure2Drawing("runs of this test at scale "+string(scale), rows)
			if err != nil {
				return err
			}
			return plot.SVG(w, g)
		})
	}
	if golden.Check(t, path, run) && *golden.Flag() != "" && scale == suite.Paper {
		keepFigures(t, path, lengths, params)
	}
}

// show keeps what a run shows as artifacts: the share of the strings of each
// length that are right, and the trace of its stacks.
func show(t *testing.T, e Experiment, out *Outcome) {
	suite.Artifact(t, "lengths.txt", func(w io.Writer) error {
		for n := shortest; n <= e.Longest; n++ {
			if _, err := fmt.Fprintln(w, n, out.Lengths.Of(n)); err != nil {
				return err
			}
		}
		return nil
	})
	if out.Trace == nil {
		return
	}
	steps := out.Trace.Shown(2)
	suite.Artifact(t, "trace.txt", func(w io.Writer) error { return out.Trace.Table(w, steps) })
	suite.Artifact(t, "trace.svg", func(w io.Writer) error {
		title := fmt.Sprintf("Tops and actions of the stacks on a string of %s", e.Task)
		return plot.SVG(w, out.Trace.Drawing(title, string(out.Row.Name)+" of this run", steps))
	})
}

// writeSpread writes figure 2 as text: for each row and length the mean and the
// deviation over restarts of the share of strings that are right, in per cent.
func writeSpread(w io.Writer, list []Experiment, lengths map[golden.Name][]*metric.Lengths) error {
	for _, e := range list {
		for n := max(shortest, e.Task.Shortest()); n <= e.Longest; n++ {
			var shares []float64
			for _, l := range lengths[group(e.Row)] {
				shares = append(shares, l.Of(n).Percent())
			}
			sum := 0.0
			for _, s := range shares {
				sum += s
			}
			if _, err := fmt.Fprintf(w, "%s n=%d mean=%.2f sd=%.2f restarts=%d\n", group(e.Row), n, sum/math.Max(1, float64(len(shares))), deviation(shares), len(shares)); err != nil {
				return err
			}
		}
	}
	return nil
}

// TestPrefix repeats the first updates of the first restart of every network of every
// row at paper scale.
func TestPrefix(t *testing.T) {
	if suite.Current().Scale != suite.CI {
		t.Skipf("scale %s: the beginnings of the runs at paper scale are repeated at scale ci: go test ./suites/patterns -run Prefix", suite.Current().Scale)
	}
	dev := suite.Open(t)
	run := &golden.Run{Suite: "patterns", Scale: "prefix", Contract: kernel.ContractVersion, Machine: suite.Machine(dev), Complete: true}
	for _, p := range parts(suite.Paper) {
		for _, e := range p.list {
			for i := range e.Networks {
				x, err := e.Run(uint64(i + 1))
				if err != nil {
					t.Fatal(err)
				}
				run.Trajectories = append(run.Trajectories, suite.Train(t, dev, x, 10).Trajectory)
			}
		}
	}
	golden.Check(t, filepath.Join("testdata", "prefix.txt"), run)
	path, err := golden.Path("patterns", string(suite.Paper))
	if err != nil {
		t.Fatal(err)
	}
	paper, err := golden.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return // no run at paper scale has been kept
	}
	if err != nil {
		t.Fatal(err)
	}
	run.Scale, run.Complete = string(suite.Paper), false
	run.Trajectories = slices.DeleteFunc(run.Trajectories, func(tr golden.Trajectory) bool {
		return !slices.ContainsFunc(paper.Trajectories, func(x golden.Trajectory) bool { return x.Name == tr.Name })
	})
	golden.Check(t, path, run)
}
