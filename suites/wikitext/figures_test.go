package wikitext

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/attention"
	"pushdown/harness/golden"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/traces"
	"pushdown/harness/train"
	"pushdown/suites/lm"
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
	run := suitetest.Must(traces.New(golden.Name(x.Name), suitetest.Must(e.Trace(dev, x, res, m))(t)))(t)
	return e, run, golden.Row{Values: m.Values}
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
	shown := map[string]bool{}
	for _, e := range Table2() {
		if e.Cells > 1 {
			shown["figure5-"+e.Row.Row], shown["figure6-"+e.Row.Row] = true, true
		}
	}
	for name := range Suite.Captions {
		if !shown[name] {
			t.Errorf("have a caption of %s, want one for each figure on the page and no other", name)
		}
	}
	if len(Suite.Captions) != len(shown) {
		t.Errorf("have %d captions, want %d", len(Suite.Captions), len(shown))
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

// TestTraceOfParameters compares a trace with parameters whose angles and weights are known. The
// matrices of cells 1 and 2 are equal, and every column of that of cell 3 is orthogonal to
// theirs. The embedding of a word is its token, so the scores of the cells are -1, 1 and 0 times
// the token.
func TestTraceOfParameters(t *testing.T) {
	of := suitetest.Must(lm.Words("shakespeare"))(t)
	e := Model{Cells: 3, Hidden: 2}
	const h, cells = 2, 3
	p := &train.Params{Names: []string{"E", "V_att", "W_h"}, Shapes: [][]int{{of.Len(), 1}, {1, cells}, {h, 4 * cells * h}}, Data: [][]float32{nil, {-1, 1, 0}, make([]float32, h*4*cells*h)}}
	for token := range of.Len() {
		p.Data[0] = append(p.Data[0], float32(token))
	}
	for row := range h { // the only 1 in the column with index row is in this row of the gate
		for cell, gate := range []int{0, 0, 1} {
			p.Data[2][row*4*cells*h+(gate*cells+cell)*h+row] = 1
		}
	}
	const temperature = 500
	cosines := suitetest.Must(attention.PrincipalCosines(p, cells))(t)
	have, err := e.trace(of, &train.Result{Params: p, Checks: []train.Validation{{Best: true, Scalars: []float64{temperature}}}}, cosines)
	if err != nil {
		t.Fatal(err)
	}
	want := []Pair{{"1-2", []float64{0, 0}}, {"1-3", []float64{90, 90}}, {"2-3", []float64{90, 90}}}
	if diff := cmp.Diff(want, have.Pairs); diff != "" {
		t.Errorf("pairs (-want +have):\n%s", diff)
	}
	for i, word := range sampleWords() {
		token, ok := of.Token(word)
		if !ok {
			token, _ = of.Token("<unk>")
		}
		x := float64(token) / temperature
		weight := traces.Rounded(math.Exp(x) / (math.Exp(x) + math.Exp(-x) + 1))
		if c := have.Cells[i]; c != (CellOfWord{word, 2, weight}) {
			t.Errorf("have %+v, want %s in cell 2 with weight %v", c, word, weight)
		}
	}
	for i, w := range e.heatFigure([]Trace{have}).Blocks[0].Words {
		if want := strings.Fields(sample)[i]; w.Text != want || w.Class != 1 {
			t.Errorf("word %d of figure 6 is %q in class %d, want %q in class 1", i, w.Text, w.Class, want)
		}
	}
}

// TestByWord checks that byWord notices a loss that is not that of fixed cells.
func TestByWord(t *testing.T) {
	e := Table2()[1].Smoke()
	dev := suite.Open(t)
	x := suitetest.Must(e.Build(1))(t)
	res, err := train.Run(x, train.Options{Device: dev, Updates: 2})
	if err != nil {
		t.Fatal(err)
	}
	of := suitetest.Must(lm.Words(e.Corpus))(t)
	sharp := suitetest.Must(e.Network(of.Len(), true))(t)
	loss := suitetest.Must(e.loss(dev, sharp, of.Test, 1, res.Params, 0))(t)
	for _, c := range []struct{ loss, want float64 }{{loss, 1}, {math.Nextafter(loss, 0), 0}} {
		if have := suitetest.Must(e.byWord(dev, of, 1, res.Params, c.loss))(t); have != c.want {
			t.Errorf("have %v for the loss %v, want %v", have, c.loss, c.want)
		}
	}
}

// TestFaster checks that the variants differ from the rows in the rate alone.
func TestFaster(t *testing.T) {
	for i, e := range Faster() {
		if e.Row.Task != "lr1e-3" || e.Rule.LR != 1e-3 {
			t.Errorf("%s: have task %s and rate %v, want lr1e-3 and 0.001", e.Row.Row, e.Row.Task, e.Rule.LR)
		}
		e.Row.Task, e.Rule.LR = "", 1e-4
		if want := Table2()[i]; e != want {
			t.Errorf("have %+v, want the settings %+v", e, want)
		}
	}
}

// TestTrace checks that a trace reads as it was written, and that bad traces are refused.
func TestTrace(t *testing.T) {
	e, run, row := traced(t)
	trace := suitetest.Must(e.decode(run))(t)
	last := len(trace.Cells) - 1
	for _, c := range []struct {
		change func(*Trace)
		want   string
	}{
		{func(t *Trace) { t.Cells = t.Cells[:last] }, "one of 5 cells for each of"},
		{func(t *Trace) { t.Pairs[0].Angles = t.Pairs[0].Angles[1:] }, "random angles, angles of the pairs"},
		{func(t *Trace) { t.Pairs[0].Angles[0] = 91 }, "angle of cells 1-2 1: have 91"},
		{func(t *Trace) { t.Cells[last].Cell = 6 }, "one of 5 cells"},
		{func(t *Trace) { t.Cells[last].Weight = 2 }, "have 2, want a number from 0 to 1"},
	} {
		spoilt := suitetest.Must(e.decode(run))(t)
		c.change(&spoilt)
		if _, err := e.decode(suitetest.Must(traces.New(e.Row.Group().WithSeed(1), spoilt))(t)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("have error %v, want one that says %q", err, c.want)
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
		{func(e *Model) { e.Columns = 401 }, "want a limit of 0 or more, 1 to 400 columns"},
		{func(e *Model) { e.Limit, e.Columns = 0, 5000 }, "have a limit of 0 tokens, 5000 columns"},
		{func(e *Model) { e.Dropout = math.NaN() }, "dropout NaN"},
		{func(e *Model) { e.Epochs = math.MaxInt }, "epochs, want 1 to 1048576"},
		{func(e *Model) { e.Steps = 0 }, "at least 1 step"},
	} {
		e := Table2()[1].Smoke()
		c.change(&e)
		if _, err := e.Build(1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("have error %v, want one that says %q", err, c.want)
		}
	}
}
