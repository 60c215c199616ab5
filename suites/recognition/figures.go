package recognition

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pushdown/harness/plot"
	"pushdown/harness/suite"
)

// shown is a row with the traces of its runs, for the figures.
type shown struct {
	Of   Experiment
	Runs []Trace
}

// protocol says how the row is trained. It is "printed" for the settings of the paper, and
// "batched" for several strings in an update. A figure has only rows of one protocol.
func (e Experiment) protocol() string {
	if e.Row.Task == "" {
		return "printed"
	}
	return "batched"
}

// Figures draws three figures for each table and each protocol of its rows: the
// accuracy N on the validation strings during training, N on longer strings by length,
// and the actions on [sample], if a run has them. The paper has no such figures. The
// README shows those of table 1 for the printed protocol.
func Figures(rows []suite.Traced) ([]suite.Figure, error) {
	groups := map[string][]shown{}
	for _, r := range rows {
		runs, err := suite.DecodeRuns(r, decode)
		if err != nil {
			return nil, fmt.Errorf("recognition: %w", err)
		}
		e := r.Row.(Experiment)
		name := "table" + e.Row.Table + "-" + e.protocol()
		groups[name] = append(groups[name], shown{e, runs})
	}
	var all []suite.Figure
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		list := groups[name]
		slices.SortStableFunc(list, func(a, b shown) int {
			return cmp.Compare(slices.Index(Networks(), a.Of.Network), slices.Index(Networks(), b.Of.Network))
		})
		add := func(what string, d plot.Drawing) {
			all = append(all, suite.Figure{Name: what + "-" + name, Drawing: d, Shown: name == "table1-printed"})
		}
		add("learning", learningFigure(list))
		add("lengths", lengthFigure(list))
		if g, ok := actionFigure(list); ok {
			add("actions", g)
		}
	}
	return all, nil
}

// columns is the number of panels side by side in figures with a panel for each network.
const columns = 4

// panels arranges a panel for each row, titled with its network.
func panels(rows []shown, panel func(r shown) plot.Panel) [][]plot.Panel {
	var list []plot.Panel
	for _, r := range rows {
		p := panel(r)
		p.Title = string(r.Of.Network)
		list = append(list, p)
	}
	return plot.Arrange(columns, list)
}

// seed returns the curve of a run. The figures have a curve for each run and no mean,
// because runs succeed or fail as a whole.
func seed(x, y []float64) plot.Curve {
	return plot.Curve{Name: "a seed", Hue: plot.Blue, Thin: true, X: x, Y: y}
}

// learningFigure draws the accuracy N on the validation strings after each epoch.
func learningFigure(rows []shown) plot.Grid {
	return plot.Grid{
		Title:  "Validation strings judged rightly (N) in the course of training",
		Source: source(rows) + " One line for each seed.",
		Rows: panels(rows, func(r shown) plot.Panel {
			last := len(r.Runs[0].Epochs)
			p := plot.Panel{X: plot.Axis{Label: "epochs", Min: 0, Max: float64(max(last, 2))}, Y: share}
			for _, t := range r.Runs {
				p.Curves = append(p.Curves, seed(plot.Coordinates(len(t.Epochs)), t.Epochs))
			}
			return p
		}),
	}
}

// share is the axis of N.
var share = plot.Axis{Label: "N, % of strings", Min: 0, Max: 100}

// lengthFigure draws the accuracy N on longer strings by range of lengths.
func lengthFigure(rows []shown) plot.Grid {
	return plot.Grid{
		Title: "Longer strings judged rightly (N), by length",
		Source: source(rows) + fmt.Sprintf(" %d strings for each point, of up to %d symbols less than it says. One line for each seed.",
			rows[0].Runs[0].Lengths[0].Cases, lengthStep-1),
		Rows: panels(rows, func(r shown) (p plot.Panel) {
			var x []float64
			for _, c := range r.Runs[0].Lengths { // all runs have the same
				x = append(x, float64(c.Length))
			}
			for _, t := range r.Runs {
				var y []float64
				for _, c := range t.Lengths {
					y = append(y, c.Percent())
				}
				p.Curves = append(p.Curves, seed(x, y))
			}
			p.X, p.Y = plot.Axis{Label: "symbols", Min: 0, Max: x[len(x)-1]}, share
			return p
		}),
	}
}

// actionFigure draws the actions and the topmost cell of the stacks on the sample, for
// the seed that has learned the language best. It returns false if no network has them.
func actionFigure(rows []shown) (g plot.Grid, ok bool) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r shown) bool { return r.Runs[0].Steps == nil })
	if len(rows) == 0 {
		return g, false
	}
	g = plot.Grid{
		Title:  "What the stacks do on reading " + sample,
		Source: source(rows) + " The seed that judges most strings of 101 to 200 symbols rightly (N), the first of equals; the last symbol is the end.",
		Rows:   make([][]plot.Panel, 2),
	}
	for _, r := range rows {
		t := learned(r.Runs)
		x := plot.Coordinates(len(t.Steps))
		y := make([][]float64, 4)
		for _, s := range t.Steps {
			for i, v := range []float64{s.Push, s.Pop, s.Noop, s.Top} {
				y[i] = append(y[i], v)
			}
		}
		axis := plot.Axis{Label: "symbols read", Min: 0, Max: float64(len(x) + 1)}
		g.Rows[0] = append(g.Rows[0], plot.Panel{
			Title: fmt.Sprintf("%s, seed %d: %.0f%%", r.Of.Network, t.Seed, t.Lengths[0].Percent()), X: axis, Y: plot.Axis{Label: "weight of the action", Min: 0, Max: 1},
			Curves: []plot.Curve{{Name: "PUSH", Hue: plot.Blue, X: x, Y: y[0]}, {Name: "POP", Hue: plot.Orange, X: x, Y: y[1]}, {Name: "NO-OP", Hue: plot.Grey, Dashed: true, X: x, Y: y[2]}},
		})
		g.Rows[1] = append(g.Rows[1], plot.Panel{
			X: axis, Y: plot.Axis{Label: "topmost cell", Min: -1, Max: 1},
			Curves: []plot.Curve{{Name: "topmost cell", Hue: plot.Green, X: x, Y: y[3]}},
		})
	}
	return g, true
}

// source describes the origin of a figure's data.
func source(rows []shown) string {
	e := rows[0].Of
	var seeds []int
	var updates []string
	for _, r := range rows {
		seeds = append(seeds, len(r.Runs))
		if u := fmt.Sprintf("%d at %v", r.Of.Batch, r.Of.Rule.LR); !slices.Contains(updates, u) {
			updates = append(updates, u)
		}
	}
	return fmt.Sprintf("Measured by pushdown, suites/recognition: networks of table %s of diffstk on %s; %s, strings in an update and learning rate: %s.",
		e.Row.Table, e.Language, suite.SeedsText(seeds...), strings.Join(updates, ", "))
}

// learned returns the run with the most correct strings in the first range of lengths. If
// several runs have equally many, it returns the first.
func learned(runs []Trace) Trace {
	best := runs[0]
	for _, t := range runs {
		if t.Lengths[0].Correct > best.Lengths[0].Correct {
			best = t
		}
	}
	return best
}
