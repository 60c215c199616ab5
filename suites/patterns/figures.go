package patterns

import (
	"bytes"
	"fmt"

	"pushdown/harness/metric"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
	"pushdown/harness/traces"
	"pushdown/harness/verdict"
)

// hues are the colours of the actions in figure 3 of the paper: green, red and grey.
// The palette has orange instead of red.
var hues = []plot.Hue{Push: plot.Green, Pop: plot.Orange, Noop: plot.Grey}

// Drawing draws the given steps as figure 3 of the paper does. Below the symbols is a line
// for each stack with its top after each symbol. The background has the colour of the
// stack's action.
func (t *Trace) Drawing(title, source string, steps []Step) plot.Words {
	w := plot.Words{Title: title, Source: source, Hues: hues}
	for a := Push; a <= Noop; a++ {
		w.Classes = append(w.Classes, a.String())
	}
	symbols := plot.Block{Title: "symbol read, and the one that is predicted where it is wrong"}
	for _, s := range steps {
		text := t.Task.Token(s.Current)
		if s.Known && s.Predicted != s.Next {
			text += ">" + t.Task.Token(s.Predicted)
		}
		symbols.Words = append(symbols.Words, plot.Word{Text: fmt.Sprintf("%5s", text)})
	}
	w.Blocks = append(w.Blocks, symbols)
	for j := range steps[0].Tops {
		b := plot.Block{Title: fmt.Sprintf("stack %d", j+1)}
		for _, s := range steps {
			b.Words = append(b.Words, plot.Word{Text: fmt.Sprintf("%5.2f", s.Tops[j]), Class: int(s.Actions[j]), Weight: 1})
		}
		w.Blocks = append(w.Blocks, b)
	}
	return w
}

// curves holds what figure 2 shows of one experiment: for each restart, how many
// strings of each length are right.
type curves struct {
	of   Experiment
	runs []*metric.Lengths
}

// figure2Columns is the number of panels of figure 2 side by side.
const figure2Columns = 3

// figure2Drawing draws a panel for each row. A panel shows the share of right strings of
// each length, with a line for each restart and a line for their mean. The paper has a
// panel for each task instead. Each restart either learns a task or does not, so a band
// around the mean would be as high as the panel, and the bands of several networks
// would hide each other.
func figure2Drawing(source string, rows []curves) (plot.Grid, error) {
	g := plot.Grid{Title: "Strings predicted rightly, by their length n", Source: source}
	var panels []plot.Panel
	for _, r := range rows {
		p := plot.Panel{
			Title: fmt.Sprintf("%s, %s", r.of.Row.Task, r.of.Row.Row),
			X:     plot.Axis{Label: "n", Min: 0, Max: float64(r.of.Longest)},
			Y:     plot.Axis{Label: "strings that are right, %", Min: 0, Max: 100},
		}
		var x []float64
		runs := make([][]float64, len(r.runs))
		for n := max(shortest, r.of.Task.Shortest()); n <= r.of.Longest; n++ {
			x = append(x, float64(n))
			for i, l := range r.runs {
				runs[i] = append(runs[i], l.At(n).Percent())
			}
		}
		mean, err := plot.Spread("their mean", plot.Orange, x, runs)
		if err != nil {
			return g, fmt.Errorf("patterns: %w", err)
		}
		mean.Low, mean.High = nil, nil
		for _, y := range runs {
			p.Curves = append(p.Curves, plot.Curve{Name: "a restart", Hue: plot.Blue, Thin: true, X: x, Y: y})
		}
		p.Curves = append(p.Curves, mean)
		panels = append(panels, p)
	}
	g.Rows = plot.Arrange(figure2Columns, panels)
	return g, nil
}

// Figures draws figure 2 with all restarts. For table 3 and figure 3 it draws the steps of
// one restart, the one with the least validation loss, along the third traced string.
func Figures(rows []suite.Traced) (list []suite.Figure, err error) {
	var two []curves
	for _, r := range rows {
		e := r.Row.(Experiment)
		if e.Row.Figure == "2" {
			runs, err := suite.DecodeRuns(r, decodeLengths)
			if err != nil {
				return nil, fmt.Errorf("patterns: %w", err)
			}
			two = append(two, curves{e, runs})
			continue
		}
		f, err := stackFigure(e, r.Runs)
		if err != nil {
			return nil, fmt.Errorf("patterns: traces of %s: %w", e.Row.Group(), err)
		}
		list = append(list, f)
	}
	if len(two) > 0 {
		d, err := figure2Drawing("Measured by pushdown, suites/patterns: figure 2 of stack-rnn.", two)
		if err != nil {
			return nil, err
		}
		list = append(list, suite.Figure{Name: "figure2", Drawing: d, Shown: true})
	}
	return list, nil
}

// stackFigure draws the stacks of the restart with the least validation loss.
func stackFigure(e Experiment, runs []traces.Run) (f suite.Figure, err error) {
	var best *Trace
	seed, least := 0, 0.0
	for _, run := range runs {
		t, loss, err := decodeStacks(e.Task, run)
		if err != nil {
			return f, err
		}
		if best == nil || loss < least {
			best, seed, least = t, run.Seed, loss
		}
	}
	var text bytes.Buffer
	if err := best.Table(&text, best.Shown(shownString)); err != nil {
		return f, err
	}
	title := fmt.Sprintf("Tops and actions of the stacks on a string of %s", e.Task)
	source := fmt.Sprintf("Measured by pushdown, suites/patterns: %s, seed %d.", verdict.Title(e.Row.Group()), seed)
	name := "figure" + e.Row.Figure
	if e.Row.Table != "" {
		name = "table" + e.Row.Table
	}
	return suite.Figure{Name: name, Drawing: best.Drawing(title, source, best.Shown(shownString)), Text: text.Bytes(), Shown: true}, nil
}
