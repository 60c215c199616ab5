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

// Figure2Drawing shows, for each task, the share of the strings of each length that
// are right, the mean over restarts in the band from the worst to the best.
func Figure2Drawing(source string, rows []Curves) (plot.Grid, error) {
	g := plot.Grid{Title: "Strings predicted rightly against their length n, mean and spread over restarts", Source: source}
	var panels []plot.Panel
	tasks := map[string]int{} // panel of a task, in the order of the rows
	for _, r := range rows {
		task := r.Of.Row.Task
		at, ok := tasks[task]
		if !ok {
			at = len(panels)
			tasks[task] = at
			panels = append(panels, plot.Panel{
				Title: task,
				X:     plot.Axis{Label: "n", Min: 0, Max: float64(r.Of.Longest)},
				Y:     plot.Axis{Label: "strings that are right, %", Min: 0, Max: 100},
			})
		}
		p := &panels[at]
		var x []float64
		runs := make([][]float64, len(r.Runs))
		for n := max(shortest, r.Of.Task.Shortest()); n <= r.Of.Longest; n++ {
			x = append(x, float64(n))
			for i, l := range r.Runs {
				runs[i] = append(runs[i], l.Of(n).Percent())
			}
		}
		c, err := plot.Spread(fmt.Sprintf("%s (%d restarts)", r.Of.Row.Row, len(r.Runs)), plot.Hue(len(p.Curves)), x, runs)
		if err != nil {
			return g, fmt.Errorf("patterns: %w", err)
		}
		p.Curves = append(p.Curves, c)
	}
	g.Rows = [][]plot.Panel{panels}
	return g, nil
}
