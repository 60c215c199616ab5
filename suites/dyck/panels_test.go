package dyck

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/metric"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/traces"
)

// invented makes runs of a row that nothing trained: n distances, epochs that grow
// with the seed, and what the cells of an attention model are.
func invented(e LanguageModel, seeds, n int) suite.Traced {
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
		r.Runs = append(r.Runs, traces.Run{Seed: seed, Lines: t.lines()})
	}
	return r
}

// table are invented runs of table 1, in no order. The assignment models saw other
// strings, which would be an error if they were drawn.
func table() (rows []suite.Traced) {
	for _, e := range Table1(depths...) {
		n := 10 * e.M
		if e.Kind == Assignment {
			n++
		}
		rows = append(rows, invented(e, 3, n))
	}
	slices.Reverse(rows)
	return rows
}

// drawn makes the figures by name.
func drawn(t *testing.T, rows []suite.Traced) (names []string, by map[string]plot.Drawing) {
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

// outline describes the panels of a figure.
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

// TestFiguresShowEveryRun: columns in the order of m, the baseline first, a curve
// for each seed or their spread, and the cases of each distance.
func TestFiguresShowEveryRun(t *testing.T) {
	names, by := drawn(t, table())
	if diff := cmp.Diff([]string{"figure2", "figure3", "figure4", "figure6"}, names); diff != "" {
		t.Fatalf("figures (-want +have):\n%s", diff)
	}
	const distance = "distance between the brackets, symbols"
	for name, want := range map[string][]string{ // each is reported
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
		if diff := cmp.Diff(want, outline(by[name].(plot.Grid))); diff != "" {
			t.Errorf("%s (-want +have):\n%s", name, diff)
		}
	}
	c := by["figure2"].(plot.Grid).Rows[0][0].Curves[0]
	if c.Low[0] < 33 || c.Low[0] > 34 || c.Y[0] < 66 || c.Y[0] > 67 || c.High[0] != 100 {
		t.Errorf("three seeds with 1/3, 2/3 and all of 1001 cases are %v in %v to %v", c.Y[0], c.Low[0], c.High[0])
	}
	heat := by["figure6"].(plot.Words)
	if len(heat.Blocks) != 3 || len(heat.Blocks[2].Words) != 104 {
		t.Fatalf("%d blocks, want 3 of 104 words", len(heat.Blocks))
	}
	for i, want := range map[int]plot.Word{0: {Text: "START", Class: 1, Weight: 0.75}, 1: {Text: "(b", Class: 0, Weight: 0.75}, 3: {Text: "b)", Class: 0, Weight: 0.75}, 103: {Text: "END", Class: 0, Weight: 0.75}} { // each is reported
		if have := heat.Blocks[2].Words[i]; have != want {
			t.Errorf("word %d of seed 3 is %+v, want %+v", i+1, have, want)
		}
	}
	for name, d := range by { // each is reported
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

// TestFiguresOfPart: tasks are drawn apart, and what no run shows is left out.
func TestFiguresOfPart(t *testing.T) {
	rates := Rates(4, 8)
	rows := []suite.Traced{invented(rates[0], 1, 3), invented(rates[1], 1, 3), invented(rates[len(rates)-3], 2, 3), invented(second(6, Assignment), 1, 3)}
	var what []string
	for _, r := range rows {
		what = append(what, r.Row.Place().Row+" "+r.Row.Place().Task)
	}
	if want := []string{"m4-baseline lr1e-2", "m4-baseline lr1e-3", "m8-attention2 lr1e-3", "m6-assignment2 "}; !slices.Equal(what, want) {
		t.Fatalf("rows %q, want %q", what, want)
	}
	names, by := drawn(t, rows)
	if diff := cmp.Diff([]string{"figure2-lr1e-2", "figure3-lr1e-2", "figure2-lr1e-3", "figure3-lr1e-3", "figure4-lr1e-3"}, names); diff != "" {
		t.Errorf("figures (-want +have):\n%s", diff)
	}
	g := by["figure2-lr1e-3"].(plot.Grid)
	if len(g.Rows[0]) != 2 || !strings.Contains(g.Source, "1 to 2 seeds") {
		t.Errorf("%d columns of m = 4 and 8, source %q", len(g.Rows[0]), g.Source)
	}
	if list, err := Figures(nil); len(list) != 0 || err != nil {
		t.Errorf("%d figures of nothing, error %v", len(list), err)
	}
}

// TestBadRuns are errors that name figure and row.
func TestBadRuns(t *testing.T) {
	// change replaces the first words or the word of the lines of seed 1 of a kind.
	change := func(r suite.Traced, kind, old, with string) {
		for i, l := range r.Runs[0].Lines {
			if l.Kind() == kind {
				r.Runs[0].Lines[i].First = strings.Replace(l.First, old, with, 1)
			}
		}
	}
	for want, spoil := range map[string]func([]suite.Traced){
		"figure2 of paper=second-order-lstm/table=1/row=m4-baseline: ":     func(r []suite.Traced) { change(r[1], "ldpa", "ldpa 3 501", "ldpa 3 502") },
		"have 5 distances, need 6 as of the other model":                   func(r []suite.Traced) { r[1] = invented(second(4, Attention), 1, 5) },
		`row=m4-attention2, seed 1: have symbol "x" at place 3, need "a)"`: func(r []suite.Traced) { change(r[1], "cell", "cell a)", "cell x") },
		"row=m4-attention2: have no angles, need those of its cells": func(r []suite.Traced) {
			r[1].Runs[0].Lines = slices.DeleteFunc(r[1].Runs[0].Lines, func(l traces.Line) bool { return l.Kind() == "angle" })
		},
		"row=m4-attention2, seed 1: have cells of 5 symbols, need 6 as of bounded Dyck": func(r []suite.Traced) {
			r[1].Runs[0].Lines = slices.DeleteFunc(r[1].Runs[0].Lines, func(l traces.Line) bool { return l.First == "cell END" })
		},
	} {
		rows := []suite.Traced{invented(second(4, Baseline), 1, 6), invented(second(4, Attention), 1, 6)}
		spoil(rows)
		if _, err := Figures(rows); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %s", err, want)
		}
	}
}
