package plot

import (
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// wide returns the width of text plus a sixth, so that the text also fits in another
// font. If a system has none of the fonts that an SVG names, it uses one such as DejaVu
// Sans, which is a sixth wider.
func wide(s text.Style, txt string) vg.Length { return s.Width(txt) * 7 / 6 }

// wrap breaks text between words into lines that are not wider than width, except
// for lines of a single word.
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
