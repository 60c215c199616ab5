package plot

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars are vertical bars that begin at the lower end of the y axis.
type Bars struct {
	Name  string
	Hue   Hue
	X, Y  []float64
	Width float64 // the width of a bar, in units of the x axis
}

// Plot draws the bars as one path.
func (b Bars) Plot(to draw.Canvas, p *plot.Plot) {
	px, py := p.Transforms(&to)
	var path vg.Path
	for i, x := range b.X {
		left, right := max(p.X.Min, x-b.Width/2), min(p.X.Max, x+b.Width/2)
		path.Move(vg.Point{X: px(left), Y: to.Min.Y})
		path.Line(vg.Point{X: px(left), Y: py(b.Y[i])})
		path.Line(vg.Point{X: px(right), Y: py(b.Y[i])})
		path.Line(vg.Point{X: px(right), Y: to.Min.Y})
		path.Close()
	}
	to.SetColor(b.Hue.at(barOpacity))
	to.Fill(path)
}

func (b Bars) check(x, y Axis) error {
	where := fmt.Sprintf("bars %q", b.Name)
	if !b.Hue.known() || !(b.Width > 0) {
		return fmt.Errorf("%s: have hue %d and width %v, want a hue of the palette and a width above 0", where, b.Hue, b.Width)
	}
	return series(where, "y", b.X, b.Y, x, y)
}

// Level is a dashed horizontal line across the panel.
type Level struct {
	Name string
	At   float64
}

func (l Level) curve(x Axis) Curve {
	return Curve{Name: l.Name, Hue: Grey, Dashed: true, Thin: true, X: []float64{x.Min, x.Max}, Y: []float64{l.At, l.At}}
}
