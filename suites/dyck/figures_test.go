package dyck

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/corpora/formal"
	"pushdown/harness/attention"
	"pushdown/harness/metric"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/traces"
)

// TestSample checks that the published string is in the language and has 102
// brackets and depth 4.
func TestSample(t *testing.T) {
	lang := suitetest.Must(published(4).Language())(t)
	text := suitetest.Must(parse(lang, sample))(t)
	if have, want := lang.Format(text), strings.Join(strings.Fields(sample), " "); have != want {
		t.Errorf("read as\n%s, want\n%s", have, want)
	}
	if _, err := lang.Closings(nil, text); err != nil || len(text) != 102 || len(text) < lang.Min || len(text) >= lang.Max {
		t.Errorf("%d brackets, error %v, want 102 of %v", len(text), err, lang)
	}
	lang.M = 3
	if _, err := lang.Closings(nil, text); err == nil {
		t.Error("the string is of depth 3, want 4")
	}
	if _, err := parse(lang, "(a a) (c"); err == nil || !strings.HasPrefix(err.Error(), `dyck: word 3 is "(c"`) {
		t.Errorf("error %v, want one that names the third word", err)
	}
}

// TestApart tests the function apart on cells that separate opening from closing brackets, and
// on cells that do not.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		cell []int
		want bool
	}{{[]int{0, 0, 1, 1, 0, 1}, true}, {[]int{1, 1, 0, 0, 0, 0}, true}, {[]int{0, 1, 0, 1, 0, 0}, false}, {[]int{0, 0, 0, 0, 1, 1}, false}, {[]int{0, 0, 1, 0, 1, 1}, false}} {
		if apart(c.cell, 2) != c.want {
			t.Errorf("%v: apart is %v, want %v", c.cell, !c.want, c.want)
		}
	}
}

// fakeRuns returns invented runs of a row. Each run has n distances and a number of epochs
// that grows with the seed. Runs of an attention model also have angles and cells.
func fakeRuns(e LanguageModel, seeds, n int) suite.Traced {
	r := suite.Traced{Row: e}
	for seed := 1; seed <= seeds; seed++ {
		t := Trace{Seed: seed}
		for i := range n {
			cases := int64(1 + 1000/(1+i*i))
			t.LDPA = append(t.LDPA, metric.Count{Distance: 2*i + 1, Share: metric.Share{Correct: cases * int64(seed) / int64(seeds), Cases: cases}})
		}
		for i := range 3 + seed {
			t.WCPA = append(t.WCPA, float64(10*i))
		}
		if e.Kind == Attention {
			for i := range e.Hidden {
				t.Random, t.Angles = append(t.Random, float64(i+1)), append(t.Angles, float64(i+seed))
			}
		}
		if e.Kind == Attention && e.M == 4 {
			for i, symbol := range []string{"(a", "(b", "a)", "b)", "START", "END"} {
				t.Cells = append(t.Cells, Cell{symbol, 1 + (i+seed)%2, 0.75})
			}
		}
		run, err := traces.New(e.Row.Group().WithSeed(seed), t)
		if err != nil {
			panic(err) // the struct has only numbers and texts
		}
		r.Runs = append(r.Runs, run)
	}
	return r
}

// table returns invented runs of table 1 in reverse order. The runs of the models of kind
// Assignment, which figures must not show, have other distances than the rest. A figure that
// showed them would return an error.
func table() (rows []suite.Traced) {
	for _, e := range Table1(depths...) {
		n := 10 * e.M
		if e.Kind == Assignment {
			n++
		}
		rows = append(rows, fakeRuns(e, 3, n))
	}
	slices.Reverse(rows)
	return rows
}

// drawFigures draws the figures. It returns their names in order, and a map from name to
// figure.
func drawFigures(t *testing.T, rows []suite.Traced) (names []string, by map[string]plot.Drawing) {
	t.Helper()
	list := suitetest.Must(Figures(rows))(t)
	by = map[string]plot.Drawing{}
	for _, f := range list {
		var b bytes.Buffer
		if err := plot.SVG(&b, f.Drawing); err != nil {
			t.Fatal(err)
		}
		names, by[f.Name] = append(names, f.Name), f.Drawing
	}
	return names, by
}

// TestFiguresShowEveryRun checks that figures have a column for each m, in order, and
// that the baseline comes first in each column. Each seed must be shown, as a curve or in
// the spread. Figure 2 must also show the number of cases at each distance.
func TestFiguresShowEveryRun(t *testing.T) {
	names, by := drawFigures(t, table())
	if diff := cmp.Diff([]string{"figure2", "figure3", "figure4", "figure6"}, names); diff != "" {
		t.Fatalf("figures (-want +have):\n%s", diff)
	}
	const distance = "distance between the brackets, symbols"
	for name, want := range map[string][]string{ // in any order: each is reported
		"figure2": {
			"m = 4, 12 hidden units: " + distance + " 0 to 80, predicted, % of cases 0 to 100: LSTM (baseline) 40 in a band attention LSTM, 2 cells 40 in a band",
			"m = 6, 18 hidden units: " + distance + " 0 to 120, predicted, % of cases 0 to 100: LSTM (baseline) 60 in a band attention LSTM, 2 cells 60 in a band",
			"m = 8, 24 hidden units: " + distance + " 0 to 160, predicted, % of cases 0 to 100: LSTM (baseline) 80 in a band attention LSTM, 2 cells 80 in a band",
			": " + distance + " 0 to 80, cases 0.5 to 10000: cases in the test strings 40 at 20 20 cases",
			": " + distance + " 0 to 120, cases 0.5 to 10000: cases in the test strings 60 at 20 20 cases",
			": " + distance + " 0 to 160, cases 0.5 to 10000: cases in the test strings 80 at 20 20 cases",
		},
		"figure3": {
			"m = 4, 12 hidden units: epochs 0 to 6, WCPA, % 0 to 100: LSTM (baseline) 4 LSTM (baseline) 5 LSTM (baseline) 6 attention LSTM, 2 cells 4 attention LSTM, 2 cells 5 attention LSTM, 2 cells 6",
			"m = 6, 18 hidden units: epochs 0 to 6, WCPA, % 0 to 100: LSTM (baseline) 4 LSTM (baseline) 5 LSTM (baseline) 6 attention LSTM, 2 cells 4 attention LSTM, 2 cells 5 attention LSTM, 2 cells 6",
			"m = 8, 24 hidden units: epochs 0 to 6, WCPA, % 0 to 100: LSTM (baseline) 4 LSTM (baseline) 5 LSTM (baseline) 6 attention LSTM, 2 cells 4 attention LSTM, 2 cells 5 attention LSTM, 2 cells 6",
		},
		"figure4": {
			"m = 4, 12 hidden units: place of the angle, the smallest first 0 to 13, angle, degrees 0 to 90: two random matrices 12 attention LSTM, 2 cells 12 in a band",
			"m = 6, 18 hidden units: place of the angle, the smallest first 0 to 19, angle, degrees 0 to 90: two random matrices 18 attention LSTM, 2 cells 18 in a band",
			"m = 8, 24 hidden units: place of the angle, the smallest first 0 to 25, angle, degrees 0 to 90: two random matrices 24 attention LSTM, 2 cells 24 in a band",
		},
	} {
		suitetest.Equal(t, want, outline(by[name].(plot.Grid)), "%s", name)
	}
	c := by["figure2"].(plot.Grid).Rows[0][0].Curves[0]
	if c.Low[0] < 33 || c.Low[0] > 34 || c.Y[0] < 66 || c.Y[0] > 67 || c.High[0] != 100 {
		t.Errorf("three seeds with 1/3, 2/3 and all of 1001 cases are %v in %v to %v", c.Y[0], c.Low[0], c.High[0])
	}
	heat := by["figure6"].(plot.Words)
	if len(heat.Blocks) != 3 || len(heat.Blocks[2].Words) != 104 {
		t.Fatalf("%d blocks, want 3 of 104 words", len(heat.Blocks))
	}
	for i, want := range map[int]plot.Word{0: {Text: "START", Class: 1, Weight: 0.75}, 1: {Text: "(b", Class: 0, Weight: 0.75}, 3: {Text: "b)", Class: 0, Weight: 0.75}, 103: {Text: "END", Class: 0, Weight: 0.75}} { // in any order: each is reported
		if have := heat.Blocks[2].Words[i]; have != want {
			t.Errorf("word %d of seed 3 is %+v, want %+v", i+1, have, want)
		}
	}
	for name, d := range by { // in any order: each is reported
		text := ""
		switch d := d.(type) {
		case plot.Grid:
			text = d.Source
		case plot.Words:
			text = d.Source
		}
		if want := "figure " + name[len("figure"):] + " of second-order-lstm"; !strings.Contains(text, want) || !strings.Contains(text, "3 seeds, learning rate 0.0001, at most 300 epochs") {
			t.Errorf("%s: source %q, want it to name %q, seeds and rate", name, text, want)
		}
	}
}

// TestFiguresOfPart checks that each task has figures of its own and that figures
// without runs are left out.
func TestFiguresOfPart(t *testing.T) {
	rates := Rates(4, 8)
	rows := []suite.Traced{fakeRuns(rates[0], 1, 3), fakeRuns(rates[1], 1, 3), fakeRuns(rates[len(rates)-3], 2, 3), fakeRuns(second(6, Assignment), 1, 3)}
	var what []string
	for _, r := range rows {
		what = append(what, r.Row.ID().Row+" "+r.Row.ID().Task)
	}
	if want := []string{"m4-baseline lr1e-2", "m4-baseline lr1e-3", "m8-attention2 lr1e-3", "m6-assignment2 "}; !slices.Equal(what, want) {
		t.Fatalf("rows %q, want %q", what, want)
	}
	names, by := drawFigures(t, rows)
	suitetest.Equal(t, []string{"figure2-lr1e-2", "figure3-lr1e-2", "figure2-lr1e-3", "figure3-lr1e-3", "figure4-lr1e-3"}, names, "figures")
	g := by["figure2-lr1e-3"].(plot.Grid)
	if len(g.Rows[0]) != 2 || !strings.Contains(g.Source, "1 to 2 seeds") {
		t.Errorf("%d columns of m = 4 and 8, source %q", len(g.Rows[0]), g.Source)
	}
	if list, err := Figures(nil); len(list) != 0 || err != nil {
		t.Errorf("%d figures of nothing, error %v", len(list), err)
	}
}

// TestBadRuns checks that bad runs are errors that name the figure and the row.
func TestBadRuns(t *testing.T) {
	// change replaces a part of the first run of a row.
	change := func(r suite.Traced, old, with string) {
		text := string(r.Runs[0].Trace)
		if !strings.Contains(text, old) {
			t.Fatalf("have no %s in %s", old, text)
		}
		r.Runs[0].Trace = []byte(strings.Replace(text, old, with, 1))
	}
	for want, spoil := range map[string]func([]suite.Traced){
		"figure2 of paper=second-order-lstm/table=1/row=m4-baseline: ":     func(r []suite.Traced) { change(r[1], `"cases":501`, `"cases":502`) },
		"have 5 distances, want 6 as of the other model":                   func(r []suite.Traced) { r[1] = fakeRuns(second(4, Attention), 1, 5) },
		`row=m4-attention2, seed 1: have symbol "x" at place 3, want "a)"`: func(r []suite.Traced) { change(r[1], `"a)"`, `"x"`) },
		"row=m4-attention2: have no angles, want those of its cells": func(r []suite.Traced) {
			change(r[1], `"random":[1,2,3,4,5,6,7,8,9,10,11,12],"angles":[1,2,3,4,5,6,7,8,9,10,11,12],`, "")
		},
		"row=m4-attention2, seed 1: have cells of 5 symbols, want 6 as of bounded Dyck": func(r []suite.Traced) { change(r[1], `,{"symbol":"END","cell":1,"weight":0.75}`, "") },
	} {
		rows := []suite.Traced{fakeRuns(second(4, Baseline), 1, 6), fakeRuns(second(4, Attention), 1, 6)}
		spoil(rows)
		_, err := Figures(rows)
		suitetest.Error(t, err, want)
	}
}

// TestTracesAreOfTheTestStrings recomputes two things that all runs of a row share: the
// number of cases at each distance, and the angles between random matrices. It compares
// them with the committed traces.
func TestTracesAreOfTheTestStrings(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: draws the test strings of every row: go test ./suites/dyck -run TracesAreOfTheTestStrings")
	}
	type distances map[int]int64
	drawn := map[Data]distances{} // several rows share a corpus
	rows := suitetest.Must(Suite.Kept())(t)
	for _, r := range rows {
		e := r.Row.(LanguageModel)
		first, err := decode(r.Runs[0]) // all seeds share what is compared
		if err != nil {
			t.Fatal(err)
		}
		want, ok := drawn[e.Data]
		if !ok {
			lang, corpus := suitetest.Must2(e.Sample(formal.Test))(t)
			want = distances{}
			for i := range corpus.Len() {
				for _, c := range suitetest.Must(lang.Closings(nil, corpus.Body(i)))(t) {
					want[c.Distance()]++
				}
			}
			drawn[e.Data] = want
		}
		have := distances{}
		for _, c := range first.LDPA {
			have[c.Distance] = c.Cases
		}
		suitetest.Equal(t, want, have, "%s: cases by distance", e.Row.Group())
		var random []float64
		if e.Kind == Attention {
			for _, cosine := range attention.RandomCosines(e.Hidden) {
				random = append(random, traces.Rounded(attention.Degrees(cosine)))
			}
		}
		suitetest.Equal(t, random, first.Random, "%s: angles between random matrices", e.Row.Group())
	}
}

// TestTraceIsThatOfTheRun trains a small network with attention and one without. It checks
// that their traces agree with the measured values and have all four epochs, and that only
// the trace of the network with attention has angles and cells.
func TestTraceIsThatOfTheRun(t *testing.T) {
	for _, kind := range []Kind{Baseline, Attention} {
		e := second(4, kind).Smoke()
		e.Rule.LR, e.Epochs = 0.01, 4
		trace := suitetest.Must(decode(suitetest.Trained(t, &Suite, e, 2)))(t)
		if len(trace.WCPA) != 4 || (len(trace.Angles) != 0) != (kind == Attention) || (len(trace.Cells) != 0) != (kind == Attention) {
			t.Errorf("%s: %d epochs, %d angles, %d cells", kind, len(trace.WCPA), len(trace.Angles), len(trace.Cells))
		}
	}
}

// sampleTrace returns the trace of an invented run. sampleText is the same trace as JSON.
func sampleTrace() Trace {
	t := Trace{
		Seed: 3, WCPA: []float64{66.6667, 99.9914}, Random: []float64{32.2754, 90}, Angles: []float64{30.6209, 75},
		Cells: []Cell{{"(a", 2, 0.5312}, {"END", 2, 1}},
	}
	for i, right := range []int64{199, 0, 1} {
		t.LDPA = append(t.LDPA, metric.Count{Distance: []int{1, 3, 121}[i], Share: metric.Share{Correct: right, Cases: []int64{200, 40, 1}[i]}})
	}
	return t
}

const sampleText = `{"ldpa":[{"distance":1,"correct":199,"cases":200},{"distance":3,"correct":0,"cases":40},{"distance":121,"correct":1,"cases":1}],` +
	`"wcpa":[66.6667,99.9914],"random":[32.2754,90],"angles":[30.6209,75],"cells":[{"symbol":"(a","cell":2,"weight":0.5312},{"symbol":"END","cell":2,"weight":1}]}`

func TestTrace(t *testing.T) {
	suitetest.Trace(t, sampleTrace(), 3, sampleText, decode, [][3]string{
		{"wcpa", "wpca", `unknown field "wpca"`},
		{`"distance":3`, `"distance":1`, "seed 3: distance 1 after 1"},
		{`"correct":0,"cases":40`, `"correct":0,"cases":0`, "have 0 right answers to 0 cases"},
		{`"correct":0,"cases":40`, `"correct":41,"cases":40`, "have 41 right answers to 40 cases"},
		{"99.9914", "100.1", "epoch 2: have 100.1, want a number from 0 to 100"},
		{"75]", "91]", "angle 2: have 91, want a number from 0 to 90"},
		{",75]", "]", "1 angles and 2 random ones"},
		{`"cell":2`, `"cell":0`, "symbol (a: have cell 0, want a number from 1"},
		{"0.5312", "1.5", "weight of (a 1: have 1.5"},
		{`"wcpa":[66.6667,99.9914],`, "", "have 3 distances, 0 epochs"},
	})
}

// outline describes each panel: its axes, and the names of its data with the numbers of points.
func outline(g plot.Grid) (list []string) {
	for _, row := range g.Rows {
		for _, p := range row {
			text := fmt.Sprintf("%s: %s %v to %v, %s %v to %v:", p.Title, p.X.Label, p.X.Min, p.X.Max, p.Y.Label, p.Y.Min, p.Y.Max)
			for _, c := range p.Curves {
				text += fmt.Sprintf(" %s %d", c.Name, len(c.X))
				if c.Low != nil {
					text += " in a band"
				}
			}
			for _, b := range p.Bars {
				text += fmt.Sprintf(" %s %d", b.Name, len(b.X))
			}
			for _, l := range p.Levels {
				text += fmt.Sprintf(" at %v %s", l.At, l.Name)
			}
			list = append(list, text)
		}
	}
	return list
}
