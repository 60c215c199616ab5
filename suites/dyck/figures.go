package dyck

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pushdown/harness/plot"
	"pushdown/harness/suite"
)

// shown are the runs of a row that figures are drawn of.
type shown struct {
	Of   LanguageModel
	Runs []Trace
}

// Figures draws figures 2, 3, 4 and 6 of second-order-lstm, for each task of the
// rows by itself: a column for each m, baseline and attention model side by side.
// What no run shows is left out. The README shows the figures at the rate that the
// paper states, as its claims are judged.
func Figures(rows []suite.Traced) ([]suite.Figure, error) {
	byTask := map[string][]shown{}
	for _, r := range rows {
		e, ok := r.Row.(LanguageModel)
		if !ok || e.Kind == Assignment {
			continue
		}
		runs, err := suite.ParseRuns(r, parseTrace)
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

// figuresOf draws the rows of a task.
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

// source says where the data of a figure come from.
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

// hue is the colour of a model in all figures.
func (e LanguageModel) hue() plot.Hue {
	if e.Kind == Baseline {
		return plot.Blue
	}
	return plot.Orange
}

// title names a model in legends.
func (e LanguageModel) title() string {
	if e.Kind == Baseline {
		return "LSTM (baseline)"
	}
	return fmt.Sprintf("attention LSTM, %d cells", e.Cells)
}

// columnTitle is that of the panels of one m.
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
