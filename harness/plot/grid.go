package plot

import (
	"errors"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panel is a pair of axes and the data drawn on them: first bars, then curves, then
// levels.
type Panel struct {
	Title  string // above the panel; empty for none
	X, Y   Axis
	Bars   []Bars
	Curves []Curve
	Levels []Level
}

// Grid is a figure of panels in rows of equal length. The axes of all panels in a
// row are aligned, and so are those in a column.
type Grid struct {
	Title  string
	Source string // the source of the data
	Rows   [][]Panel
}

// Arrange divides panels into rows of equal length. The rows are as long as possible,
// with at most the given number of panels in each.
func Arrange(most int, panels []Panel) (rows [][]Panel) {
	wide := min(most, len(panels))
	for wide > 1 && len(panels)%wide != 0 {
		wide--
	}
	return slices.Collect(slices.Chunk(panels, max(wide, 1)))
}

// Coordinates returns the coordinates 1 to n.
func Coordinates(n int) (list []float64) {
	for i := range n {
		list = append(list, float64(i+1))
	}
	return list
}

const panelWidth, panelHeight = 250.0, 155.0

func (g Grid) check() error {
	if len(g.Rows) == 0 || len(g.Rows[0]) == 0 {
		return fmt.Errorf("figure %q: have no panels, want one or more", g.Title)
	}
	for i, row := range g.Rows {
		if len(row) != len(g.Rows[0]) {
			return fmt.Errorf("figure %q: have %d panels in row %d, want %d as in the first", g.Title, len(row), i+1, len(g.Rows[0]))
		}
		for j, p := range row {
			if err := p.check(); err != nil {
				return fmt.Errorf("figure %q: panel %d of row %d: %w", g.Title, j+1, i+1, err)
			}
		}
	}
	h := g.head()
	return h.check()
}

func (p Panel) check() error {
	if err := errors.Join(p.X.check("x"), p.Y.check("y")); err != nil {
		return err
	}
	if len(p.Bars)+len(p.Curves) == 0 {
		return errors.New("have no curves and no bars, want some")
	}
	for _, b := range p.Bars {
		if err := b.check(p.X, p.Y); err != nil {
			return err
		}
	}
	for _, c := range p.Curves {
		if err := c.check(p.X, p.Y); err != nil {
			return err
		}
	}
	for _, l := range p.Levels {
		if err := l.curve(p.X).check(p.X, p.Y); err != nil {
			return err
		}
	}
	return nil
}

// head returns the part of the figure above the panels. Its legend has an entry for
// each name and style.
func (g Grid) head() head {
	h := head{title: g.Title, source: g.Source}
	for _, row := range g.Rows {
		for _, p := range row {
			for _, c := range p.Curves {
				h.add(c.key())
			}
			for _, b := range p.Bars {
				h.add(key{name: b.Name, hue: b.Hue})
			}
			for _, l := range p.Levels {
				h.add(l.curve(p.X).key())
			}
		}
	}
	return h
}

func (g Grid) size() (width, height vg.Length) {
	width = vg.Length(len(g.Rows[0]))*panelWidth + 2*margin
	// The figure is wider than a single panel, since the title needs space.
	width = max(width, 1.6*panelWidth)
	h := g.head()
	return width, h.height(width-2*margin) + vg.Length(len(g.Rows))*panelHeight + 2*margin
}

func (g Grid) draw(c draw.Canvas) {
	box(c, color.White, c.Min.X, c.Min.Y, c.Max.X-c.Min.X, c.Max.Y-c.Min.Y)
	h := g.head()
	rest := h.draw(draw.Crop(c, margin, -margin, margin, -margin))
	plots := make([][]*plot.Plot, len(g.Rows))
	for i, row := range g.Rows {
		for _, p := range row {
			plots[i] = append(plots[i], p.plot())
		}
	}
	tiles := draw.Tiles{Rows: len(g.Rows), Cols: len(g.Rows[0]), PadX: margin, PadY: margin}
	for i, row := range plot.Align(plots, tiles, rest) {
		for j, at := range row {
			plots[i][j].Draw(at)
		}
	}
}

// plot returns the panel as a plot of gonum.
func (p Panel) plot() *plot.Plot {
	out := plot.New()
	out.BackgroundColor = nil
	out.Title.Text, out.Title.TextStyle.Font, out.Title.Padding = p.Title, bold(sans(labelSize)), 3
	p.X.apply(&out.X)
	p.Y.apply(&out.Y)
	out.Add(gridLines())
	for _, b := range p.Bars {
		out.Add(b)
	}
	for _, c := range p.Curves {
		out.Add(c)
	}
	for _, l := range p.Levels {
		out.Add(l.curve(p.X))
	}
	return out
}

// gridLines returns the lines behind the data, at the ticks.
func gridLines() *plotter.Grid {
	g := plotter.NewGrid()
	for _, s := range []*draw.LineStyle{&g.Vertical, &g.Horizontal} {
		s.Color, s.Width = Grey.at(0.25), 0.4
	}
	return g
}
