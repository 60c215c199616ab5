package plot

import (
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// wide is the width of text with some to spare: where none of the fonts is there that
// an SVG names, another takes its place, and DejaVu Sans is a sixth wider.
func wide(s text.Style, txt string) vg.Length { return s.Width(txt) * 7 / 6 }

// wrap breaks text between words so that no line is wider than a width, unless a
// single word is.
func wrap(txt string, s text.Style, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(txt) {
		switch {
		case line == "":
			line = word
		case wide(s, line+" "+word) > width:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
