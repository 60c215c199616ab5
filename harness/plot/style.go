package plot

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Hue is a color of the palette of M. Okabe and K. Ito, whose colors people with color
// blindness can distinguish.
type Hue int

// The palette.
const (
	Blue Hue = iota
	Orange
	Green
	Purple
	Grey
)

var palette = []color.NRGBA{{0x00, 0x72, 0xB2, 255}, {0xD5, 0x5E, 0x00, 255}, {0x00, 0x9E, 0x73, 255}, {0xCC, 0x79, 0xA7, 255}, {0x77, 0x77, 0x77, 255}}

// at returns the color at an opacity from 0 to 1.
func (h Hue) at(opacity float64) color.NRGBA {
	c := palette[h]
	c.A = uint8(float64(255*opacity) + 0.5)
	return c
}

// known reports whether h is a color of the palette.
func (h Hue) known() bool { return h >= 0 && int(h) < len(palette) }

// Sizes in points.
const (
	titleSize, textSize, labelSize, tickSize = 11, 9, 9, 8

	margin = 8.0
)

func sans(size font.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

func mono(size font.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Mono", Size: size}
}

// style returns a style for text in a font and color. The position at which text is
// drawn is that of its lower left corner.
func style(f font.Font, c color.Color) text.Style {
	return text.Style{Color: c, Font: f, XAlign: draw.XLeft, YAlign: draw.YBottom, Handler: plot.DefaultTextHandler}
}

// bold returns the bold font of f.
func bold(f font.Font) font.Font {
	f.Weight = 3 // the constant of gonum for weight 700; 0 is weight 400
	return f
}

// box fills a rectangle.
func box(c draw.Canvas, fill color.Color, x, y, width, height vg.Length) {
	c.FillPolygon(fill, []vg.Point{{X: x, Y: y}, {X: x + width, Y: y}, {X: x + width, Y: y + height}, {X: x, Y: y + height}})
}
