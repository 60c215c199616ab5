package dyck

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pushdown/corpora/formal"
	"pushdown/harness/metric"
	"pushdown/harness/plot"
	"pushdown/harness/suite"
)

// shown is a row with the traces of its runs, for the figures.
type shown struct {
	Of   LanguageModel
	Runs []Trace
}

// Figures draws figures 2, 3, 4 and 6 of the paper second-order-lstm, separately for each
// task of the rows. A figure has a column for each bound m on the depth of the strings, in
// which the baseline comes before the attention model. Figures and panels without runs are
// left out. The README shows the figures at the learning rate that the paper states, because
// the claims are judged at that rate.
func Figures(rows []suite.Traced) ([]suite.Figure, error) {
	byTask := map[string][]shown{}
	for _, r := range rows {
		e, ok := r.Row.(LanguageModel)
		if !ok || e.Kind == Assignment {
			continue
		}
		runs, err := suite.DecodeRuns(r, decode)
		if err != nil {
			return nil, fmt.Errorf("dyck: %w", err)
		}
		byTask[e.Row.Task] = append(byTask[e.Row.Task], shown{e, runs})
	}
	var all []suite.Figure
	for _, task := range slices.Sorted(maps.Keys(byTask)) {
		list, err := figuresOf(byTask[task])
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			if f.Shown = task == ""; task != "" {
				f.Name += "-" + task
			}
			all = append(all, f)
		}
	}
	return all, nil
}

// figuresOf draws the figures for the rows of one task.
func figuresOf(rows []shown) ([]suite.Figure, error) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b shown) int {
		return cmp.Or(cmp.Compare(a.Of.M, b.Of.M), -cmp.Compare(a.Of.Kind, b.Of.Kind)) // the baseline first
	})
	var list []suite.Figure
	add := func(name string, d plot.Drawing, err error) error {
		if err != nil {
			return fmt.Errorf("dyck: %s of %s: %w", name, rows[0].Of.Row.Group(), err)
		}
		list = append(list, suite.Figure{Name: name, Drawing: d})
		return nil
	}
	var columns [][]shown
	for i, r := range rows {
		if i == 0 || r.Of.M != rows[i-1].Of.M {
			columns = append(columns, nil)
		}
		last := len(columns) - 1
		columns[last] = append(columns[last], r)
	}
	g, err := distanceFigure(columns)
	if err := add("figure2", g, err); err != nil {
		return nil, err
	}
	if err := add("figure3", epochFigure(columns), nil); err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(s shown) bool { return s.Of.Kind != Attention })
	if len(rows) == 0 {
		return list, nil
	}
	g, err = angleFigure(rows)
	if err := add("figure4", g, err); err != nil {
		return nil, err
	}
	for _, s := range rows {
		if s.Runs[0].Cells == nil {
			continue
		}
		w, err := heatFigure(s)
		if err := add("figure6", w, err); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// source describes the origin of a figure's data.
func source(paper, what string, rows []shown) string {
	e := rows[0].Of
	var seeds []int
	for _, r := range rows {
		seeds = append(seeds, len(r.Runs))
	}
	text := fmt.Sprintf("Measured by pushdown, suites/dyck: %s of second-order-lstm, %s; %s, learning rate %v, at most %d epochs", paper, what, suite.SeedsText(seeds...), e.Rule.LR, e.Epochs)
	if e.Row.Task != "" {
		text += ", task " + e.Row.Task
	}
	return text + "."
}

// hue returns the colour of a model in all figures.
func (e LanguageModel) hue() plot.Hue {
	if e.Kind == Baseline {
		return plot.Blue
	}
	return plot.Orange
}

// title returns the name of a model in legends.
func (e LanguageModel) title() string {
	if e.Kind == Baseline {
		return "LSTM (baseline)"
	}
	return fmt.Sprintf("attention LSTM, %d cells", e.Cells)
}

// columnTitle returns the title of the panels for one m.
func columnTitle(rows []shown) string {
	e := rows[0].Of
	var hidden []string
	for _, r := range rows {
		if h := fmt.Sprint(r.Of.Hidden); !slices.Contains(hidden, h) {
			hidden = append(hidden, h)
		}
	}
	return fmt.Sprintf("m = %d, %s hidden units", e.M, strings.Join(hidden, " and "))
}

// distanceFigure draws figure 2. The upper panels show the mean and the spread over seeds
// of the accuracy at each distance. The lower panels show the number of cases.
func distanceFigure(columns [][]shown) (plot.Grid, error) {
	g := plot.Grid{
		Title: "How often closing brackets are predicted, by the distance to their opening brackets (LDPA)",
		Source: source("figure 2", fmt.Sprintf("%d test strings", columns[0][0].Of.Test), slices.Concat(columns...)) +
			" Line: mean over the seeds; band: from the lowest to the highest seed.",
		Rows: make([][]plot.Panel, 2),
	}
	for _, rows := range columns {
		counts := rows[0].Runs[0].LDPA
		var x, cases []float64
		most := 0.0
		for _, c := range counts {
			x, cases = append(x, float64(c.Distance)), append(cases, float64(c.Cases))
			most = max(most, float64(c.Cases))
		}
		axis := plot.Axis{Label: "distance between the brackets, symbols", Min: 0, Max: x[len(x)-1] + 1}
		share := plot.Panel{Title: columnTitle(rows), X: axis, Y: plot.Axis{Label: "predicted, % of cases", Min: 0, Max: 100}}
		for _, r := range rows {
			var all [][]float64
			for _, t := range r.Runs {
				if err := sameCases(counts, t.LDPA); err != nil {
					return g, fmt.Errorf("%s, seed %d: %w", r.Of.Row.Group(), t.Seed, err)
				}
				all = append(all, percents(t.LDPA))
			}
			c, err := plot.Spread(r.Of.title(), r.Of.hue(), x, all)
			if err != nil {
				return g, err
			}
			share.Curves = append(share.Curves, c)
		}
		top := 1.0
		for top < most {
			top *= 10
		}
		g.Rows[0] = append(g.Rows[0], share)
		g.Rows[1] = append(g.Rows[1], plot.Panel{
			X: axis, Y: plot.Axis{Label: "cases", Min: 0.5, Max: max(top, 100), Log: true},
			Bars:   []plot.Bars{{Name: "cases in the test strings", Hue: plot.Grey, X: x, Y: cases, Width: 2}},
			Levels: []plot.Level{{Name: fmt.Sprintf("%d cases", frequent), At: frequent}},
		})
	}
	return g, nil
}

// sameCases returns an error unless a and b have the same distances, each with the same
// number of cases.
func sameCases(a, b []metric.Count) error {
	if len(a) != len(b) {
		return fmt.Errorf("have %d distances, want %d as of the other model", len(b), len(a))
	}
	for i, c := range a {
		if d := b[i]; d.Distance != c.Distance || d.Cases != c.Cases {
			return fmt.Errorf("have %d cases at distance %d, want %d at %d as of the other model", d.Cases, d.Distance, c.Cases, c.Distance)
		}
	}
	return nil
}

func percents(counts []metric.Count) (list []float64) {
	for _, c := range counts {
		list = append(list, c.Percent())
	}
	return list
}

// epochFigure draws figure 3: validation WCPA after each epoch, a curve for each seed.
func epochFigure(columns [][]shown) plot.Grid {
	g := plot.Grid{
		Title: "Worst-case prediction accuracy (WCPA) in the course of training",
		Source: source("figure 3", fmt.Sprintf("%d validation strings", columns[0][0].Of.Dev), slices.Concat(columns...)) +
			" One line for each seed, up to the epoch in which its training ended.",
		Rows: make([][]plot.Panel, 1),
	}
	for _, rows := range columns {
		p := plot.Panel{Title: columnTitle(rows), Y: plot.Axis{Label: "WCPA, %", Min: 0, Max: 100}}
		last := 2
		for _, r := range rows {
			for _, t := range r.Runs {
				last = max(last, len(t.WCPA))
				p.Curves = append(p.Curves, plot.Curve{Name: r.Of.title(), Hue: r.Of.hue(), Thin: true, X: plot.Coordinates(len(t.WCPA)), Y: t.WCPA})
			}
		}
		p.X = plot.Axis{Label: "epochs", Min: 0, Max: float64(last)}
		g.Rows[0] = append(g.Rows[0], p)
	}
	return g
}

// angleFigure draws figure 4: the principal angles between the matrices of two cells, and
// the principal angles between two random matrices.
func angleFigure(rows []shown) (plot.Grid, error) {
	g := plot.Grid{
		Title: "Principal angles between the hidden-to-hidden matrices of the two cells",
		Source: source("figure 4", "trained parameters", rows) +
			" Line: mean over the seeds; band: from the lowest to the highest seed. The random matrices have normal numbers and the same shape, 4h x h.",
		Rows: make([][]plot.Panel, 1),
	}
	for _, r := range rows {
		random := r.Runs[0].Random
		if len(random) == 0 {
			return g, fmt.Errorf("%s: have no angles, want those of its cells", r.Of.Row.Group())
		}
		var all [][]float64
		for _, t := range r.Runs {
			all = append(all, t.Angles)
		}
		x := plot.Coordinates(len(random))
		c, err := plot.Spread(r.Of.title(), r.Of.hue(), x, all)
		if err != nil {
			return g, err
		}
		g.Rows[0] = append(g.Rows[0], plot.Panel{
			Title: columnTitle([]shown{r}),
			X:     plot.Axis{Label: "place of the angle, the smallest first", Min: 0, Max: float64(len(x) + 1)},
			Y:     plot.Axis{Label: "angle, degrees", Min: 0, Max: 90, Step: 30},
			Curves: []plot.Curve{
				{Name: "two random matrices", Hue: plot.Grey, Dashed: true, X: x, Y: random}, c,
			},
		})
	}
	return g, nil
}

// heatFigure draws figure 6: the cell of each symbol of the published string, for each
// seed.
func heatFigure(s shown) (plot.Words, error) {
	w := plot.Words{
		Title: "The cell that each symbol of the paper's string goes to, and its weight",
		Source: source("figure 6", fmt.Sprintf("m = %d", s.Of.M), []shown{s}) +
			" The fuller the colour, the larger the weight, at the temperature at which the parameters were best. Cells have no order: which is the first is chance.",
	}
	for i := range s.Of.Cells {
		w.Classes = append(w.Classes, fmt.Sprintf("cell %d", i+1))
	}
	lang, text, err := s.Of.sampleText()
	if err != nil {
		return w, err
	}
	for _, t := range s.Runs {
		if err := sameSymbols(lang, t.Cells); err != nil {
			return w, fmt.Errorf("%s, seed %d: %w", s.Of.Row.Group(), t.Seed, err)
		}
		b := plot.Block{Title: fmt.Sprintf("seed %d", t.Seed)}
		for _, token := range text {
			c := t.Cells[token]
			b.Words = append(b.Words, plot.Word{Text: c.Symbol, Class: c.Cell - 1, Weight: c.Weight})
		}
		w.Blocks = append(w.Blocks, b)
	}
	return w, nil
}

// sameSymbols returns an error unless cells has the symbols of the vocabulary, in order.
func sameSymbols(lang formal.BoundedDyck, cells []Cell) error {
	if len(cells) != lang.Vocabulary() {
		return fmt.Errorf("have cells of %d symbols, want %d as of %v", len(cells), lang.Vocabulary(), lang)
	}
	for i, c := range cells {
		if want := lang.Token(uint8(i)); c.Symbol != want {
			return fmt.Errorf("have symbol %q at place %d, want %q", c.Symbol, i+1, want)
		}
	}
	return nil
}
