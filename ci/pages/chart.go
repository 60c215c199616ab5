package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pushdown/harness/golden"
	"pushdown/harness/numeric"
	"pushdown/harness/verdict"
)

// Positions in charts are per cent of the width, so that a chart fits every screen and its
// text keeps its size.

// A slice is a part of a stacked bar.
type slice struct {
	verdict.Outcome
	Count int
	X, W  string // per cent
	Label bool   // whether the count fits
}

// bar returns the stacked bar of outcomes.
func bar(c verdict.Counts) (list []slice) {
	at := 0
	add := func(o verdict.Outcome, n int) {
		if n == 0 {
			return
		}
		x, w := 100*float64(at)/float64(c.Printed), 100*float64(n)/float64(c.Printed)
		list = append(list, slice{o, n, decimal(x), decimal(w), w >= 4.8+float64(2.2*float64(len(strconv.Itoa(n))))})
		at += n
	}
	for _, o := range verdict.Outcomes() {
		add(o, c.ByOutcome[o])
	}
	add(shown, c.Shown)
	add(unfinished, c.Unfinished)
	return list
}

// decimal formats a position with two decimals.
func decimal(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// An axis maps values to positions.
type axis struct {
	from, to float64 // of the values
	log      bool
	lo, hi   float64 // of the positions
}

// at returns the position of a value.
func (a axis) at(v float64) float64 {
	x, from, to := v, a.from, a.to
	if a.log {
		x, from, to = numeric.Log64(v), numeric.Log64(a.from), numeric.Log64(a.to)
	}
	if to == from {
		return (a.lo + a.hi) / 2
	}
	return a.lo + float64((a.hi-a.lo)*((x-from)/(to-from)))
}

// A tick is a mark of an axis.
type tick struct{ At, Text, Anchor string }

// ticks returns about n ticks at round values.
func (a axis) ticks(n int) (list []tick) {
	var values []float64
	if a.log {
		for e := decade(a.from); e <= decade(a.to)+1; e++ {
			values = append(values, math.Pow10(e))
		}
		if len(values) <= n {
			for _, v := range slices.Clone(values) {
				values = append(values, float64(2*v), float64(5*v))
			}
			slices.Sort(values)
		}
	} else {
		step := math.Pow10(decade((a.to - a.from) / float64(n)))
		for _, k := range []float64{1, 2, 5, 10} {
			if (a.to-a.from)/(step*k) <= float64(n) {
				step = float64(step * k)
				break
			}
		}
		for i := math.Ceil(a.from / step); float64(i*step) <= a.to+step/1e6; i++ {
			values = append(values, golden.Round6(float64(i*step)))
		}
	}
	for _, v := range values {
		if v < a.from || v > a.to {
			continue
		}
		x := a.at(v)
		list = append(list, tick{decimal(x), compact(v), anchor(x)})
	}
	return list
}

// decade returns the exponent of the greatest power of ten that is at most v, which must be
// positive.
func decade(v float64) int {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	e, _ := strconv.Atoi(exponent)
	return e
}

// anchor returns the anchor of a text at a position, so that the text stays inside.
func anchor(x float64) string {
	switch {
	case x < 10:
		return "start"
	case x > 90:
		return "end"
	}
	return "middle"
}

// compact formats a round number, such as 20k.
func compact(v float64) string {
	switch m := max(v, -v); {
	case m >= 1e6:
		return golden.Number(golden.Round6(v/1e6)) + "M"
	case m >= 1e4:
		return golden.Number(golden.Round6(v/1e3)) + "k"
	}
	return golden.Number(golden.Round6(v))
}

// A strip shows the values of runs as dots on an axis, with the printed number and the
// interval.
type strip struct {
	About       string // the same in words
	Dots        []dot
	Ticks       []tick
	Paper       tick // the printed number
	Ours        string
	From, Width string // of the interval, "" if there is none
	Stacks      []tick // the number of runs of each high stack
	Class       string
}

// A dot is a run.
type dot struct{ X, Y, Text string }

// The geometry of a strip, in pixels from the top.
const (
	stripMiddle = 41
	stripReach  = 13 // greatest distance of a dot from the middle
)

// Strip returns the strip of a place of a table.
func (e entry) Strip() *strip {
	q := e.InPaper.Quantity
	s := &strip{Class: string(e.Result())}
	type run struct {
		seed int
		v    float64
	}
	var runs []run
	a := axis{from: e.InPaper.Published, to: e.InPaper.Published, lo: 4, hi: 93}
	for _, r := range e.Row.Runs {
		if v, ok := r.Value(q.Unit); ok {
			runs = append(runs, run{r.Name.Seed(), v})
			a.from, a.to = min(a.from, v), max(a.to, v)
		}
	}
	low, high, ok := e.Interval()
	if ok {
		a.from, a.to = min(a.from, low), max(a.to, high)
	}
	if a.from == a.to { // one point
		half := max(0.5, max(a.from, -a.from)*0.05)
		a.from, a.to = a.from-half, a.to+half
	}
	if ok {
		s.From, s.Width = decimal(a.at(low)), decimal(a.at(high)-a.at(low))
	}
	// Runs close to each other are stacked.
	const near = 1.1
	slices.SortFunc(runs, func(x, y run) int { return cmp.Or(cmp.Compare(x.v, y.v), x.seed-y.seed) })
	for i := 0; i < len(runs); {
		j := i
		for j < len(runs) && a.at(runs[j].v)-a.at(runs[i].v) < near {
			j++
		}
		gap := min(6, 2*stripReach/float64(max(1, j-i-1)))
		for k := i; k < j; k++ {
			y := stripMiddle + float64(gap*(float64(k-i)-float64(j-i-1)/2))
			s.Dots = append(s.Dots, dot{decimal(a.at(runs[k].v)), decimal(y), fmt.Sprintf("seed %d: %s", runs[k].seed, verdict.Short(q.Printed(runs[k].v)))})
		}
		if x := a.at(runs[j-1].v); j-i > 5 {
			s.Stacks = append(s.Stacks, tick{decimal(x), fmt.Sprintf("× %d", j-i), ""})
		}
		i = j
	}
	scaled := a
	scaled.from, scaled.to = q.Printed(a.from), q.Printed(a.to)
	s.Ticks = scaled.ticks(6)
	p := a.at(e.InPaper.Published)
	s.Paper = tick{decimal(p), "printed " + e.InPaper.AsPrinted(), anchor(p)}
	s.Ours = decimal(a.at(e.Value))
	s.About = fmt.Sprintf("%d runs from %s to %s; %s", len(runs), verdict.Short(q.Printed(runs[0].v)), verdict.Short(q.Printed(runs[len(runs)-1].v)), e.Summary())
	return s
}

// Summary says what the paper prints and what ours is.
func (e entry) Summary() string {
	text := fmt.Sprintf("printed %s; ours %s", e.InPaper.AsPrinted(), cmp.Or(e.Number(), "none yet"))
	if low, high, ok := e.Interval(); ok {
		text += fmt.Sprintf("; interval from %s to %s", e.Text(low), e.Text(high))
	}
	return text
}

// A chart shows lines over a common axis. The lines are in a box of 1000 by chartHeight.
type chart struct {
	Title, About string
	X, Y         string // the names of the axes, with the unit
	Lines        []polyline
	Across, Up   []tick
	Height       int
	Log          bool
}

// A polyline is a line of a chart.
type polyline struct{ Points, Text, Class string }

// The geometry of a chart. Lines begin at the left edge of the plot, which leaves room for
// the numbers of the axis, and end below its top.
const (
	chartHeight = 180
	chartLeft   = 5 // per cent
	chartTop    = 9 // per cent
)

// A series is the data of a line.
type series struct {
	text, class string
	x, y        []float64
}

// newChart draws series with at least one point each. It returns nil if there is none.
func newChart(title, x, y string, list []series) *chart {
	var xs, ys []float64
	for _, s := range list {
		xs, ys = append(xs, s.x...), append(ys, s.y...)
	}
	if len(xs) == 0 {
		return nil
	}
	c := &chart{Title: title, X: x, Y: y, Height: chartHeight}
	across := axis{from: slices.Min(xs), to: slices.Max(xs), lo: 10 * chartLeft, hi: 1000}
	up := axis{from: slices.Min(ys), to: slices.Max(ys), lo: chartHeight, hi: chartHeight * chartTop / 100.0}
	c.About = fmt.Sprintf("%d lines from %s to %s, with values from %s to %s", len(list), verdict.Short(across.from), verdict.Short(across.to), verdict.Short(up.from), verdict.Short(up.to))
	if across.from == across.to {
		across.from, across.to = across.from-1, across.to+1
	}
	switch {
	case up.from > 0 && up.to/up.from > 40:
		up.log, c.Log = true, true
	case up.from == up.to:
		up.from, up.to = max(up.from-1, min(up.from, 0)), up.to+1
	case up.from >= 0 && up.from < up.to/3:
		up.from = 0
	}
	for _, s := range list {
		var b strings.Builder
		for i := range s.x {
			fmt.Fprintf(&b, "%.0f,%s ", across.at(s.x[i]), strconv.FormatFloat(math.Round(up.at(s.y[i])*10)/10, 'f', -1, 64))
		}
		c.Lines = append(c.Lines, polyline{strings.TrimSpace(b.String()), s.text, s.class})
	}
	up.lo, up.hi = 100, chartTop
	c.Up = up.ticks(4)
	across.lo, across.hi = chartLeft, 100
	c.Across = across.ticks(6)
	return c
}

// Curves draws the validation losses of the runs of a row. It returns nil if there are none.
func (x *row) Curves() *chart { return lossChart(x.losses()) }

// lossChart draws validation losses.
func lossChart(list []series) *chart {
	return newChart("Validation loss", "update", "mean loss, nats", list)
}

// losses returns the validation losses of the runs of the row.
func (x *row) losses() (list []series) {
	for _, run := range x.Runs {
		t := x.runs[run.Name.Seed()]
		s := series{text: fmt.Sprintf("seed %d", run.Name.Seed())}
		add := func(at golden.Step, loss float64) {
			s.x, s.y = append(s.x, float64(at)), append(s.y, loss)
		}
		if t.Thinned != nil {
			for _, v := range t.Thinned.Curve {
				add(v.Update, v.Loss)
			}
		} else {
			for _, p := range t.Points {
				if loss, ok := p.Scalar(golden.LossKey); ok && p.At < golden.Best {
					add(p.At, loss)
				}
			}
		}
		if len(s.x) > 1 {
			list = append(list, s)
		}
	}
	return list
}

// A trace has what is drawn of the trace of a run.
type trace struct {
	seed          int
	Epochs, WCPA  []float64
	Lengths, LDPA []share
}

// A share is the number of right answers of a length, or at a distance.
type share struct{ Length, Distance, Cases, Correct float64 }

// Charts draws the traces of a row.
func (x *row) Charts() (list []*chart) {
	for _, d := range []struct {
		title, x, y string
		values      func(trace) (x, y []float64)
	}{
		{"Validation strings classified correctly", "epoch", "strings, per cent", func(t trace) (x, y []float64) { return byEpoch(t.Epochs) }},
		{"Strings right", "length, symbols", "strings, per cent", func(t trace) (x, y []float64) { return percents(t.Lengths) }},
		{"Closing brackets predicted", "distance from the opening bracket, symbols", "LDPA, per cent", func(t trace) (x, y []float64) { return percents(t.LDPA) }},
		{"Validation strings", "epoch", "WCPA, per cent", func(t trace) (x, y []float64) { return byEpoch(t.WCPA) }},
	} {
		var lines []series
		for _, t := range x.Traced {
			s := series{text: fmt.Sprintf("seed %d", t.seed)}
			if s.x, s.y = d.values(t); len(s.x) > 1 {
				lines = append(lines, s)
			}
		}
		if c := newChart(d.title, d.x, d.y, lines); c != nil {
			list = append(list, c)
		}
	}
	return list
}

// byEpoch returns the numbers of the epochs, and the values after them.
func byEpoch(values []float64) (x, y []float64) {
	for i := range values {
		x = append(x, float64(i+1))
	}
	return x, values
}

// percents returns lengths or distances, and the shares of right answers in per cent.
func percents(list []share) (x, y []float64) {
	for _, s := range list {
		if s.Cases > 0 {
			x, y = append(x, s.Length+s.Distance), append(y, 100*s.Correct/s.Cases)
		}
	}
	return x, y
}
