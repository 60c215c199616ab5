package plot

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const bandOpacity, thinOpacity, barOpacity = 0.22, 0.65, 0.55

// Curve is a line through points. It may have a band around it.
type Curve struct {
	Name      string // the legend has one entry for all curves of the same name and style
	Hue       Hue
	Dashed    bool
	Thin      bool      // draws a thinner line, for figures with many curves
	X, Y      []float64 // X must be ascending
	Low, High []float64 // the edges of the band; nil for no band
}

// Spread returns the curve of the means of several runs, with a band from the lowest to
// the highest value. Each run must have a value for every x.
func Spread(name string, hue Hue, x []float64, runs [][]float64) (Curve, error) {
	if len(runs) == 0 {
		return Curve{}, fmt.Errorf("plot: curve %q: have no runs, want one or more", name)
	}
	c := Curve{Name: name, Hue: hue, X: x}
	for i, run := range runs {
		if len(run) != len(x) {
			return Curve{}, fmt.Errorf("plot: curve %q: have %d values in run %d, want %d as of x", name, len(run), i+1, len(x))
		}
	}
	for i := range x {
		low, high, sum := runs[0][i], runs[0][i], 0.0
		for _, run := range runs {
			low, high, sum = min(low, run[i]), max(high, run[i]), sum+run[i]
		}
		// Rounding can put the mean of equal values slightly above or below them.
		mean := min(high, max(low, sum/float64(len(runs))))
		c.Y, c.Low, c.High = append(c.Y, mean), append(c.Low, low), append(c.High, high)
	}
	return c, nil
}

func (c Curve) key() key {
	return key{name: c.Name, hue: c.Hue, line: true, dashed: c.Dashed, thin: c.Thin, band: c.Low != nil}
}

// check returns an error if the curve is invalid or not within the axes.
func (c Curve) check(x, y Axis) error {
	where := fmt.Sprintf("curve %q", c.Name)
	if !c.Hue.known() {
		return fmt.Errorf("%s: have hue %d, want one of the palette", where, c.Hue)
	}
	if err := series(where, "y", c.X, c.Y, x, y); err != nil {
		return err
	}
	if (c.Low == nil) != (c.High == nil) {
		return fmt.Errorf("%s: have one edge of a band, want both or none", where)
	}
	if c.Low == nil {
		return nil
	}
	if err := series(where, "low", c.X, c.Low, x, y); err != nil {
		return err
	}
	if err := series(where, "high", c.X, c.High, x, y); err != nil {
		return err
	}
	for i, v := range c.Y {
		if v < c.Low[i] || v > c.High[i] {
			return fmt.Errorf("%s: have %v in a band from %v to %v at x = %v, want it inside", where, v, c.Low[i], c.High[i], c.X[i])
		}
	}
	return nil
}

// series returns an error if the points are invalid or not within the axes.
func series(where, name string, x, y []float64, xa, ya Axis) error {
	switch {
	case len(x) == 0:
		return fmt.Errorf("%s: have no points, want one or more", where)
	case len(y) != len(x):
		return fmt.Errorf("%s: have %d values of %s, want %d as of x", where, len(y), name, len(x))
	}
	for i := range x {
		if !xa.contains(x[i]) || !ya.contains(y[i]) {
			return fmt.Errorf("%s: have x = %v, %s = %v, want them on the axes from %v to %v and from %v to %v", where, x[i], name, y[i], xa.Min, xa.Max, ya.Min, ya.Max)
		}
		if i > 0 && x[i] <= x[i-1] {
			return fmt.Errorf("%s: have x = %v after %v, want ascending ones", where, x[i], x[i-1])
		}
	}
	return nil
}

// Plot draws the band and then the line. It draws a single point as a short line.
func (c Curve) Plot(to draw.Canvas, p *plot.Plot) {
	px, py := p.Transforms(&to)
	at := func(y []float64) (list []vg.Point) {
		for i, x := range c.X {
			list = append(list, vg.Point{X: px(x), Y: py(y[i])})
		}
		return list
	}
	if c.Low != nil && len(c.X) > 1 {
		edge := at(c.Low)
		slices.Reverse(edge)
		to.FillPolygon(c.Hue.at(bandOpacity), append(at(c.High), edge...))
	}
	line := at(c.Y)
	if len(line) == 1 {
		line = []vg.Point{{X: line[0].X - 2, Y: line[0].Y}, {X: line[0].X + 2, Y: line[0].Y}}
	}
	k := c.key()
	to.StrokeLines(k.style(), line)
}
