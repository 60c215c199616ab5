package main

import (
	"slices"
	"strings"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/verdict"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		a    axis
		want string
	}{
		{axis{from: 0, to: 100, lo: 0, hi: 100}, "0 20 40 60 80 100"},
		{axis{from: 0.12, to: 0.57, lo: 0, hi: 100}, "0.2 0.3 0.4 0.5"},
		{axis{from: 0, to: 186900, lo: 0, hi: 100}, "0 50k 100k 150k"},
		{axis{from: 0, to: 2.3e6, lo: 0, hi: 100}, "0 500k 1M 1.5M 2M"},
		{axis{from: 0.003, to: 0.2, log: true, lo: 0, hi: 100}, "0.005 0.01 0.02 0.05 0.1 0.2"},
		{axis{from: 1e-9, to: 1, log: true, lo: 0, hi: 100}, "1e-09 1e-08 1e-07 1e-06 0.00001 0.0001 0.001 0.01 0.1 1"},
	} {
		var have []string
		for _, tick := range c.a.ticks(6) {
			have = append(have, tick.Text)
		}
		if strings.Join(have, " ") != c.want {
			t.Errorf("%+v: have %v, want %s", c.a, have, c.want)
		}
	}
	a := axis{from: 1, to: 100, log: true, lo: 10, hi: 90}
	if have := a.at(10); have != 50 {
		t.Errorf("the middle of a logarithmic axis: have %v, want 50", have)
	}
}

func TestBar(t *testing.T) {
	list := bar(verdict.Counts{Printed: 10, Shown: 1, Unfinished: 2, ByOutcome: map[verdict.Outcome]int{verdict.Matches: 4, verdict.Worse: 3}})
	want := []slice{
		{verdict.Matches, 4, "0", "40", true}, {verdict.Worse, 3, "40", "30", true}, {shown, 1, "70", "10", true}, {unfinished, 2, "80", "20", true},
	}
	if !slices.Equal(list, want) {
		t.Errorf("have %v, want %v", list, want)
	}
}

// TestStrip checks the positions of the dots, the printed number and the interval.
func TestStrip(t *testing.T) {
	cell := cell(t, "[diffstk:1:lstm:accuracy_percent:test_mean]")
	x := &row{}
	for seed, v := range []float64{0, 100, 50, 50, 50} {
		x.Runs = append(x.Runs, golden.Row{Name: golden.Name("paper=diffstk/table=1/row=lstm").WithSeed(seed + 1), Values: []golden.Value{{Unit: cell.Quantity.Unit, Value: v}}})
	}
	s := entry{InPaper: cell, Row: x, Group: "paper=diffstk/table=1/row=lstm", Compared: true, Verdict: verdict.Verdict{Runs: 5, Value: 50, Outcome: verdict.OpenSpread, High: 100, Interval: true}}.Strip()
	at := func(v float64) string { return decimal(axis{from: 0, to: 100, lo: 4, hi: 93}.at(v)) }
	if s.Paper.At != at(1.4) || s.Ours != at(50) || s.From != at(0) || s.Width != "89" {
		t.Errorf("have %+v, want the printed number at %s, ours at %s and the whole width", s, at(1.4), at(50))
	}
	var have []string
	for _, d := range s.Dots {
		have = append(have, d.X+" "+d.Y+" "+d.Text)
	}
	want := []string{"4 41 seed 1: 0", "48.5 35 seed 3: 50", "48.5 41 seed 4: 50", "48.5 47 seed 5: 50", "93 41 seed 2: 100"}
	if !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
	if want := "5 runs from 0 to 100; printed 1.40; ours 50.00; interval from 0 to 100"; s.About != want {
		t.Errorf("have %q, want %q", s.About, want)
	}
}

// TestTraceCharts checks that a page draws shares in per cent and values by epoch, of the runs that
// have them.
func TestTraceCharts(t *testing.T) {
	x := &row{Traced: []trace{{seed: 3, Lengths: []share{{Length: 10, Cases: 200, Correct: 50}, {Length: 20, Cases: 4, Correct: 4}}, Epochs: []float64{7.5, 8}}, {seed: 4}}}
	list := x.Charts()
	if len(list) != 2 {
		t.Fatalf("have %d charts, want those of epochs and lengths", len(list))
	}
	if a, b := percents(x.Traced[0].Lengths); !slices.Equal(a, []float64{10, 20}) || !slices.Equal(b, []float64{25, 100}) {
		t.Errorf("have %v per cent at %v, want 25 at 10 and 100 at 20", b, a)
	}
	if a, _ := byEpoch(x.Traced[0].Epochs); !slices.Equal(a, []float64{1, 2}) {
		t.Errorf("have the epochs %v, want 1 and 2", a)
	}
}

// TestCurves checks that the chart of a thinned trajectory has the losses of its curve, and
// that of a whole one those of its points.
func TestCurves(t *testing.T) {
	const group = golden.Name("paper=resurgence/table=2/row=dyck-m4")
	losses := []golden.Validation{{Update: 100, Loss: 1}, {Update: 200, Loss: 0.5}, {Update: 300, Loss: 0}}
	whole := golden.Trajectory{}
	for _, v := range losses {
		whole.Points = append(whole.Points, golden.Point{At: v.Update, Extra: []golden.Scalar{{Key: "valid-loss", Value: v.Loss}}})
	}
	whole.Points = append(whole.Points, golden.Point{At: golden.Best, Extra: []golden.Scalar{{Key: "valid-loss", Value: 7}}})
	for _, trajectory := range []golden.Trajectory{whole, {Thinned: &golden.Thinned{Curve: losses}}} {
		x := &row{Name: group, Runs: []golden.Row{{Name: group.WithSeed(1)}}, runs: map[int]golden.Trajectory{1: trajectory}}
		c := x.Curves()
		if c == nil || len(c.Lines) != 1 || c.Lines[0].Points != "50,16.2 525,98.1 1000,180" {
			t.Errorf("have %+v, want a line of three points", c)
		}
	}
	if c := (&row{Runs: []golden.Row{{Name: group.WithSeed(1)}}}).Curves(); c != nil {
		t.Errorf("have %+v for a row without validations, want none", c)
	}
}
