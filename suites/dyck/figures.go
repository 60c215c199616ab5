package dyck

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pushdown/harness/plot"
)

// Shown are the runs of a row that figures are drawn of.
type Shown struct {
	Of   LanguageModel
	Runs *Traces
}

// Figure is one of second-order-lstm, drawn of our runs.
type Figure struct {
	Name    string // figure2-lr1e-2: the paper's number, and the task if there is one
	Task    string // of the rows; empty: the rate that the paper states
	Drawing plot.Drawing
}

// Figures draws figures 2, 3, 4 and 6 of second-order-lstm, for each task of the
// rows on their own: a column for each m, baseline and attention model beside each
// other. What no run shows is left out.
func Figures(rows []Shown) ([]Figure, error) {
	byTask := map[string][]Shown{}
	var tasks []string
	for _, r := range rows {
		if r.Of.Kind == Assignment {
			continue
		}
		task := r.Of.Row.Task
		if byTask[task] == nil {
			tasks = append(tasks, task)
		}
		byTask[task] = append(byTask[task], r)
	}
	slices.Sort(tasks)
	var all []Figure
	for _, task := range tasks {
		list, err := figuresOf(byTask[task])
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			if f.Task = task; task != "" {
				f.Name += "-" + task
			}
			all = append(all, f)
		}
	}
	return all, nil
}

// figuresOf draws the rows of a task.
func figuresOf(rows []Shown) ([]Figure, error) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b Shown) int {
		return cmp.Or(cmp.Compare(a.Of.M, b.Of.M), -cmp.Compare(a.Of.Kind, b.Of.Kind)) // the baseline first
	})
	var list []Figure
	add := func(name string, d plot.Drawing, err error) error {
		if err != nil {
			return fmt.Errorf("dyck: %s of %s: %w", name, rows[0].Runs.Row, err)
		}
		list = append(list, Figure{Name: name, Drawing: d})
		return nil
	}
	var columns [][]Shown
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
	rows = slices.DeleteFunc(rows, func(s Shown) bool { return s.Of.Kind != Attention })
	if len(rows) == 0 {
		return list, nil
	}
	g, err = angleFigure(rows)
	if err := add("figure4", g, err); err != nil {
		return nil, err
	}
	for _, s := range rows {
		if s.Runs.Runs[0].Cells == nil {
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
func source(paper, what string, rows []Shown) string {
	e := rows[0].Of
	least, most := len(rows[0].Runs.Runs), 0
	for _, r := range rows {
		least, most = min(least, len(r.Runs.Runs)), max(most, len(r.Runs.Runs))
	}
	seeds := fmt.Sprint(most)
	if least < most {
		seeds = fmt.Sprintf("%d to %d", least, most)
	}
	if most == 1 {
		seeds += " seed"
	} else {
		seeds += " seeds"
	}
	text := fmt.Sprintf("Measured by pushdown, suites/dyck: %s of second-order-lstm, %s; %s, learning rate %v, at most %d epochs", paper, what, seeds, e.Rule.LR, e.Epochs)
	if e.Row.Task != "" {
		text += ", task " + e.Row.Task
	}
	return text + "."
}

// flat joins columns again.
func flat(columns [][]Shown) []Shown { return slices.Concat(columns...) }

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
func columnTitle(rows []Shown) string {
	e := rows[0].Of
	var hidden []string
	for _, r := range rows {
		if h := fmt.Sprint(r.Of.Hidden); !slices.Contains(hidden, h) {
			hidden = append(hidden, h)
		}
	}
	return fmt.Sprintf("m = %d, %s hidden units", e.M, strings.Join(hidden, " and "))
}
