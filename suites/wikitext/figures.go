package wikitext

import (
	"fmt"
	"strings"

	"pushdown/harness/plot"
	"pushdown/harness/suite"
)

// Figures draws figures 5 and 6 of the paper second-order-lstm for each attention model: the
// principal angles between the matrices of every two cells, and the cells of the words of a
// text. The page of the suite shows those of the rows without a task.
func Figures(rows []suite.Traced) ([]suite.Figure, error) {
	var all []suite.Figure
	for _, r := range rows {
		e := r.Row.(Model)
		runs, err := suite.DecodeRuns(r, e.decode)
		if err != nil {
			return nil, fmt.Errorf("wikitext: %w", err)
		}
		name := "-" + e.Row.Row
		if e.Row.Task != "" {
			name += "-" + e.Row.Task
		}
		angles, err := e.angleFigure(runs)
		if err != nil {
			return nil, fmt.Errorf("wikitext: %s: %w", e.Row.Group(), err)
		}
		all = append(all, suite.Figure{Name: "figure5" + name, Drawing: angles, Shown: e.Row.Task == ""},
			suite.Figure{Name: "figure6" + name, Drawing: e.heatFigure(runs), Shown: e.Row.Task == ""})
	}
	return all, nil
}

// source describes the origin of a figure's data.
func (e Model) source(figure string, runs []Trace) string {
	text := fmt.Sprintf("Measured by pushdown, suites/wikitext: figure %s of second-order-lstm, %d cells of %d hidden units; %s, learning rate %v, at most %d epochs",
		figure, e.Cells, e.Hidden, suite.SeedsText(len(runs)), e.Rule.LR, e.Epochs)
	if e.Row.Task != "" {
		text += ", task " + e.Row.Task
	}
	return text + "."
}

// angleFigure draws figure 5, with a panel for each pair of cells.
func (e Model) angleFigure(runs []Trace) (plot.Grid, error) {
	g := plot.Grid{
		Title: "Principal angles between the hidden-to-hidden matrices of two cells",
		Source: e.source("5", runs) +
			" Line: mean over the seeds; band: from the lowest to the highest seed. The random matrices have normal numbers and the same shape, 4h x h.",
	}
	x := plot.Coordinates(e.Hidden)
	var panels []plot.Panel
	for i, name := range e.pairs() {
		var all [][]float64
		for _, t := range runs {
			all = append(all, t.Pairs[i].Angles)
		}
		c, err := plot.Spread("two cells", plot.Orange, x, all)
		if err != nil {
			return g, err
		}
		panels = append(panels, plot.Panel{
			Title: "cells " + strings.ReplaceAll(name, "-", " and "),
			X:     plot.Axis{Label: "place of the angle, the smallest first", Min: 0, Max: float64(len(x) + 1)},
			Y:     plot.Axis{Label: "angle, degrees", Min: 0, Max: 90, Step: 30},
			Curves: []plot.Curve{
				{Name: "two random matrices", Hue: plot.Grey, Dashed: true, X: x, Y: runs[0].Random}, c,
			},
		})
	}
	g.Rows = plot.Arrange(4, panels)
	return g, nil
}

// heatFigure draws figure 6: the cell of each word of the sample, for each seed.
func (e Model) heatFigure(runs []Trace) plot.Words {
	w := plot.Words{
		Title: "The cell that each word of the paper's text goes to, and its weight",
		Source: e.source("6", runs) +
			" The fuller the colour, the larger the weight, at the temperature at which the parameters were best. Cells have no order: which is the first is chance.",
	}
	for i := range e.Cells {
		w.Classes = append(w.Classes, fmt.Sprintf("cell %d", i+1))
	}
	for _, t := range runs {
		of := map[string]CellOfWord{}
		for _, c := range t.Cells {
			of[c.Word] = c
		}
		b := plot.Block{Title: fmt.Sprintf("seed %d", t.Seed)}
		for _, word := range strings.Fields(sample) {
			c := of[word]
			b.Words = append(b.Words, plot.Word{Text: word, Class: c.Cell - 1, Weight: c.Weight})
		}
		w.Blocks = append(w.Blocks, b)
	}
	return w
}
