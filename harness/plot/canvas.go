package plot

import (
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// A Drawing is a figure: a [Grid] or [Words].
type Drawing interface {
	check() error
	size() (width, height vg.Length)
	draw(c draw.Canvas)
}

// fonts adds fallback fonts of the same widths to the text of an SVG, and removes font
// properties that have their default values.
var fonts = strings.NewReplacer(
	"font-family:Liberation Sans;", "font-family:Liberation Sans,Arial,Helvetica,sans-serif;",
	"font-family:Liberation Mono;", "font-family:Liberation Mono,Courier New,Courier,monospace;",
	"font-variant:normal;", "", "font-weight:normal;", "", "font-style:normal;", "",
)

// SVG writes a figure as SVG. Equal figures give equal text.
func SVG(w io.Writer, d Drawing) error {
	width, height, err := prepare(d)
	if err != nil {
		return err
	}
	c := vgsvg.New(width, height)
	d.draw(draw.NewCanvas(snapped{c}, width, height))
	var b strings.Builder
	if _, err := c.WriteTo(&b); err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	_, err = fonts.WriteString(w, b.String())
	return err
}

// PNG writes a figure as PNG.
func PNG(w io.Writer, d Drawing) error {
	width, height, err := prepare(d)
	if err != nil {
		return err
	}
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(144))
	d.draw(draw.NewCanvas(snapped{c}, width, height))
	_, err = vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

// prepare checks a figure and returns its size.
func prepare(d Drawing) (width, height vg.Length, err error) {
	if err := d.check(); err != nil {
		return 0, 0, fmt.Errorf("plot: %w", err)
	}
	width, height = d.size()
	return width, height, nil
}

// snapped is a canvas that rounds all positions.
type snapped struct{ vg.Canvas }

const (
	stepsPerPoint = 32
	turn          = 0.3137 // a position less than 1-turn steps above a multiple of the step is rounded down
)

func snap(x vg.Length) vg.Length {
	return vg.Length(math.Floor(float64(x*stepsPerPoint)+turn) / stepsPerPoint)
}

func snapPoint(p vg.Point) vg.Point { return vg.Point{X: snap(p.X), Y: snap(p.Y)} }

func snapPath(p vg.Path) vg.Path {
	out := make(vg.Path, len(p))
	for i, part := range p {
		if part.Type == vg.ArcComp || part.Type == vg.CurveComp {
			panic("plot: have a curve or an arc in a path, want straight lines only")
		}
		part.Pos = snapPoint(part.Pos)
		out[i] = part
	}
	return out
}

// Stroke draws a line along a path.
func (s snapped) Stroke(p vg.Path) { s.Canvas.Stroke(snapPath(p)) }

// Fill fills a path.
func (s snapped) Fill(p vg.Path) { s.Canvas.Fill(snapPath(p)) }

// FillString writes text.
func (s snapped) FillString(f font.Face, at vg.Point, text string) {
	s.Canvas.FillString(f, snapPoint(at), text)
}
