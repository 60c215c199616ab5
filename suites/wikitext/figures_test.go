package wikitext

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/traces"
	"pushdown/harness/train"
)

// traced trains a small attention model of five cells and returns its trace and golden row.
func traced(t *testing.T) (Model, traces.Run, golden.Row) {
	t.Helper()
	e := Table2()[2].Smoke()
	dev := suite.Open(t)
	x := suitetest.Must(e.Build(1))(t)
	res, err := train.Run(x, train.Options{Device: dev})
	if err != nil {
		t.Fatal(err)
	}
	m := suitetest.Must(e.Measure(dev, x, res))(t)
	lines := suitetest.Must(e.Trace(dev, x, res, m))(t)
	return e, traces.Run{Seed: 1, Lines: lines}, golden.Row{Values: m.Values}
}

// TestFigures draws the figures from the trace of a trained model.
func TestFigures(t *testing.T) {
	e, run, row := traced(t)
	if err := agrees(e, run, row); err != nil {
		t.Error(err)
	}
	list, err := Figures([]suite.Traced{{Row: e, Runs: []traces.Run{run}}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
		if err := plot.SVG(io.Discard, f.Drawing); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if want := []string{"figure5-wt2-attention5", "figure6-wt2-attention5"}; !slices.Equal(names, want) {
		t.Errorf("have figures %v, want %v", names, want)
	}
	g := list[0].Drawing.(plot.Grid)
	if n := len(slices.Concat(g.Rows...)); n != 10 {
		t.Errorf("figure 5 has %d panels, want one for each of 10 pairs of cells", n)
	}
	words := list[1].Drawing.(plot.Words).Blocks[0].Words
	if have, want := len(words), len(strings.Fields(sample)); have != want {
		t.Errorf("figure 6 has %d words, want %d as in the paper", have, want)
	}
}

// TestTrace checks that a trace reads as it was written, and that bad traces are refused.
func TestTrace(t *testing.T) {
	e, run, row := traced(t)
	have, err := e.parseTrace(run)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(run.Lines, have.lines()); diff != "" {
		t.Errorf("lines (-written +read):\n%s", diff)
	}
	lines := func(change func([]traces.Line) []traces.Line) traces.Run {
		return traces.Run{Seed: 1, Lines: change(slices.Clone(run.Lines))}
	}
	for _, c := range []struct {
		name string
		run  traces.Run
		want string
	}{
		{"no last word", lines(func(l []traces.Line) []traces.Line { return l[:len(l)-1] }), "one of 5 cells for each of"},
		{"no first angle", lines(func(l []traces.Line) []traces.Line { return l[1:] }), "place"},
		{"an angle of 91 degrees", lines(func(l []traces.Line) []traces.Line { l[0].Word = "91"; return l }), "91"},
		{"cell 6", lines(func(l []traces.Line) []traces.Line { l[len(l)-1].Word = "6:0.5"; return l }), "one of 5 cells"},
		{"cell without a number", lines(func(l []traces.Line) []traces.Line { l[len(l)-1].Word = ":0.5"; return l }), "want a number from 1"},
		{"a line of another kind", lines(func(l []traces.Line) []traces.Line { l[0].First = "ldpa 1"; return l }), "want random, angle or cell"},
	} {
		if _, err := e.parseTrace(c.run); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have error %v, want one that says %q", c.name, err, c.want)
		}
	}
	for i := range row.Values {
		if row.Values[i].Unit == "cosine-max" {
			row.Values[i].Value -= 1e-4
		}
	}
	if err := agrees(e, run, row); err == nil {
		t.Error("a row with another cosine: have no error, want one")
	}
}

// TestErrors checks errors of rows that cannot be built.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		change func(*Model)
		want   string
	}{
		{func(e *Model) { e.Corpus = "brown" }, `have the corpus "brown"`},
		{func(e *Model) { e.Cells = 0 }, "have 0 cells"},
		{func(e *Model) { e.Columns = 401 }, "want 1 to the number of training tokens, 400"},
		{func(e *Model) { e.Steps = 0 }, "want at least 1"},
	} {
		e := Table2()[1].Smoke()
		c.change(&e)
		if _, err := e.Build(1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("have error %v, want one that says %q", err, c.want)
		}
	}
}
