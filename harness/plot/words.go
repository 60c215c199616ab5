package plot

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Words is the heat map of a text. The color of a word's background shows the class of
// the word, and the opacity shows its weight. The heat map may show the text several
// times, for example with the weights of several runs.
type Words struct {
	Title   string
	Source  string   // the source of the data
	Classes []string // the names of the classes
	Hues    []Hue    // the color of each class; nil for the palette in its order
	Blocks  []Block
}

// Block is one copy of the text.
type Block struct {
	Title string
	Words []Word
}

// Word is one word of a text.
type Word struct {
	Text   string
	Class  int     // index in Classes
	Weight float64 // 0 for no color to 1 for the full color
}

const (
	wordsWidth = 720.0
	wordHeight = 14.0
	between    = 0.08 // space on both sides of a word's background, in widths of a letter
)

func (w Words) check() error {
	if len(w.Classes) == 0 || len(w.Classes) > len(palette) {
		return fmt.Errorf("figure %q: have %d classes, want 1 to %d", w.Title, len(w.Classes), len(palette))
	}
	if w.Hues != nil && (len(w.Hues) != len(w.Classes) || slices.ContainsFunc(w.Hues, func(h Hue) bool { return !h.known() })) {
		return fmt.Errorf("figure %q: have the hues %v for %d classes, want one of the palette for each", w.Title, w.Hues, len(w.Classes))
	}
	if len(w.Blocks) == 0 {
		return fmt.Errorf("figure %q: have no text, want one or more", w.Title)
	}
	for _, b := range w.Blocks {
		if len(b.Words) == 0 {
			return fmt.Errorf("figure %q: %q: have no words, want one or more", w.Title, b.Title)
		}
		for i, word := range b.Words {
			if word.Text == "" || word.Class < 0 || word.Class >= len(w.Classes) || !(word.Weight >= 0 && word.Weight <= 1) {
				return fmt.Errorf("figure %q: %q: word %d: have %q of class %d with weight %v, want text, a class below %d and a weight from 0 to 1",
					w.Title, b.Title, i+1, word.Text, word.Class, word.Weight, len(w.Classes))
			}
		}
	}
	h := w.head()
	return h.check()
}

func (w Words) head() head {
	h := head{title: w.Title, source: w.Source}
	for i, name := range w.Classes {
		h.add(key{name: name, hue: w.hue(i)})
	}
	return h
}

// hue returns the color of a class.
func (w Words) hue(class int) Hue {
	if w.Hues == nil {
		return Hue(class)
	}
	return w.Hues[class]
}

// letter returns the width of a character. All characters have the same width.
func letter() vg.Length { return style(mono(textSize), color.Black).Width("m") }

// lines breaks a copy of the text into lines, with a blank after each word.
func (b Block) lines() (lines [][]Word) {
	room := int((wordsWidth - 2*margin) / letter())
	used := room + 1
	for _, word := range b.Words {
		n := utf8.RuneCountInString(word.Text) + 1
		if used+n > room {
			lines, used = append(lines, nil), 0
		}
		last := len(lines) - 1
		lines[last] = append(lines[last], word)
		used += n
	}
	return lines
}

func (w Words) size() (width, height vg.Length) {
	h := w.head()
	height = h.height(wordsWidth-2*margin) + 2*margin
	for _, b := range w.Blocks {
		height += b.height()
	}
	return wordsWidth, height
}

func (b Block) height() vg.Length {
	height := vg.Length(len(b.lines()))*wordHeight + gap
	if b.Title != "" {
		height += lineHeight
	}
	return height
}

func (w Words) draw(c draw.Canvas) {
	box(c, color.White, c.Min.X, c.Min.Y, c.Max.X-c.Min.X, c.Max.Y-c.Min.Y)
	h := w.head()
	c = h.draw(draw.Crop(c, margin, -margin, margin, -margin))
	y := c.Max.Y
	for _, b := range w.Blocks {
		if b.Title != "" {
			y -= lineHeight
			c.FillText(style(sans(textSize), color.Black), vg.Point{X: c.Min.X, Y: y + 2}, b.Title)
		}
		for _, line := range b.lines() {
			y -= wordHeight
			w.drawLine(c, line, y)
		}
		y -= gap
	}
}

// noBreak is a blank that SVG does not collapse with others.
const noBreak = "\u00a0"

// drawLine writes a line of words as one text over the backgrounds of the words.
// All backgrounds of one color are one path.
func (w Words) drawLine(c draw.Canvas, line []Word, y vg.Length) {
	var text []string
	var colors []color.NRGBA
	grounds := map[color.NRGBA]*vg.Path{}
	width, at := letter(), 0.5
	for _, word := range line {
		n := float64(utf8.RuneCountInString(word.Text))
		left, right := c.Min.X+width*vg.Length(at-0.5+between), c.Min.X+width*vg.Length(at+n+0.5-between)
		at += n + 1
		text = append(text, strings.ReplaceAll(word.Text, " ", noBreak))
		fill := w.hue(word.Class).at(word.Weight * barOpacity)
		if fill.A == 0 {
			continue // a word of weight 0 has no background; gonum would divide its color by its opacity
		}
		if grounds[fill] == nil {
			grounds[fill] = &vg.Path{}
			colors = append(colors, fill)
		}
		p := grounds[fill]
		p.Move(vg.Point{X: left, Y: y})
		p.Line(vg.Point{X: right, Y: y})
		p.Line(vg.Point{X: right, Y: y + wordHeight - 1})
		p.Line(vg.Point{X: left, Y: y + wordHeight - 1})
		p.Close()
	}
	for _, fill := range colors {
		c.SetColor(fill)
		c.Fill(*grounds[fill])
	}
	all := strings.Join(text, " ")
	from := strings.TrimLeft(all, " "+noBreak) // some programs drop blanks at the start of SVG text
	x := c.Min.X + width/2 + width*vg.Length(utf8.RuneCountInString(all)-utf8.RuneCountInString(from))
	c.FillText(style(mono(textSize), color.Black), vg.Point{X: x, Y: y + 2}, from)
}
