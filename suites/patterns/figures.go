package patterns

import (
	"fmt"

	"pushdown/harness/metric"
	"pushdown/harness/plot"
)

// hues are the colours that figure 3 of the paper has for the actions: green, red and
// grey, red being the orange of the palette.
var hues = []plot.Hue{Push: plot.Green, Pop: plot.Orange, Noop: plot.Grey}

// Drawing shows steps as figure 3 of the paper does: below the symbols the top of
// each stack after each of them, on the colour of its action.
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

// Curves are the restarts of a row of figure 2.
type Curves struct {
	Of   Experiment
	Runs []*metric.Lengths
}

// figure2Columns is how many panels of figure 2 stand side by side, at most: rows of
// a grid are of one length.
const figure2Columns = 3

// Figure2Drawing shows of each row the share of the strings of each length that are
// right: a line for each restart and one for their mean. The paper has a panel for
// each task. As restarts learn a task or do not, a band around the mean would be as
// high as the panel, and those of several networks would hide each other: here each
// has a panel.
func Figure2Drawing(source string, rows []Curves) (plot.Grid, error) {
	g := plot.Grid{Title: "Strings predicted rightly, by their length n", Source: source}
	wide := min(figure2Columns, len(rows))
	for wide > 1 && len(rows)%wide != 0 {
		wide--
	}
	for k, r := range rows {
		p := plot.Panel{
			Title: fmt.Sprintf("%s, %s", r.Of.Row.Task, r.Of.Row.Row),
			X:     plot.Axis{Label: "n", Min: 0, Max: float64(r.Of.Longest)},
			Y:     plot.Axis{Label: "strings that are right, %", Min: 0, Max: 100},
		}
		var x []float64
		runs := make([][]float64, len(r.Runs))
		for n := max(shortest, r.Of.Task.Shortest()); n <= r.Of.Longest; n++ {
			x = append(x, float64(n))
			for i, l := range r.Runs {
				runs[i] = append(runs[i], l.Of(n).Percent())
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
		if k%wide == 0 {
			g.Rows = append(g.Rows, nil)
		}
		g.Rows[len(g.Rows)-1] = append(g.Rows[len(g.Rows)-1], p)
	}
	return g, nil
}
