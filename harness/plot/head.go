package plot

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A head is the part above the panels of a figure: the title, the source of the data and
// the legend.
type head struct {
	title, source string
	keys          []key
}

// A key is an entry of the legend.
type key struct {
	name   string
	hue    Hue
	line   bool // whether the sample is a line and not a box; the other fields are for lines
	dashed bool
	thin   bool
	band   bool
}

// add adds an entry to the legend, unless there is an equal one.
func (h *head) add(k key) {
	if !slices.Contains(h.keys, k) {
		h.keys = append(h.keys, k)
	}
}

func (h *head) check() error {
	if h.title == "" || h.source == "" {
		return fmt.Errorf("figure: have title %q and source %q, want both", h.title, h.source)
	}
	return nil
}

// A run is a piece of text in one style. In the legend, a sample of a line or box
// precedes the text.
type run struct {
	text  string
	style text.Style
	space vg.Length // the width of the sample, to the left of the text
	key   *key      // the entry of the legend; nil for other text
}

const (
	lineHeight = 13.0
	swatch     = 20.0 // width of the samples in the legend
	gap        = 5.0
)

// lines breaks the head into lines that are not wider than the given width. It breaks title
// and source between words, and the legend between entries.
func (h *head) lines(width vg.Length) [][]run {
	all := [][]run{}
	for _, p := range []struct {
		text  string
		style text.Style
	}{{h.title, style(bold(sans(titleSize)), color.Black)}, {h.source, style(sans(tickSize), Grey.at(1))}} {
		for _, line := range wrap(p.text, p.style, width) {
			all = append(all, []run{{text: line, style: p.style}})
		}
	}
	used := width + 1
	for i := range h.keys {
		r := run{text: h.keys[i].name, style: style(sans(textSize), color.Black), space: swatch + gap, key: &h.keys[i]}
		w := r.space + wide(r.style, r.text) + 2*gap
		if used+w > width {
			all, used = append(all, nil), 0
		}
		last := len(all) - 1
		all[last] = append(all[last], r)
		used += w
	}
	return all
}

func (h *head) height(width vg.Length) vg.Length {
	return vg.Length(len(h.lines(width)))*lineHeight + gap
}

// draw draws the head at the top of a canvas and returns the canvas below it.
func (h *head) draw(c draw.Canvas) draw.Canvas {
	y := c.Max.Y
	for _, line := range h.lines(c.Max.X - c.Min.X) {
		y -= lineHeight
		x := c.Min.X
		for _, r := range line {
			if r.key != nil {
				r.key.draw(c, x, y+1)
			}
			c.FillText(r.style, vg.Point{X: x + r.space, Y: y}, r.text)
			x += r.space + wide(r.style, r.text) + 2*gap
		}
	}
	c.Max.Y = y - gap
	return c
}

// draw draws the sample of the entry: a box, or a line, which may have a band.
func (k *key) draw(c draw.Canvas, x, y vg.Length) {
	const high = 8
	if !k.line {
		box(c, k.hue.at(barOpacity), x, y, swatch, high)
		return
	}
	if k.band {
		box(c, k.hue.at(bandOpacity), x, y, swatch, high)
	}
	c.StrokeLine2(k.style(), x, y+high/2, x+swatch, y+high/2)
}

// style returns the style of the entry's line.
func (k *key) style() draw.LineStyle {
	s := draw.LineStyle{Color: k.hue.at(1), Width: 1.2}
	if k.thin {
		s.Color, s.Width = k.hue.at(thinOpacity), 0.7
	}
	if k.dashed {
		s.Dashes = []vg.Length{4, 3}
	}
	return s
}
