package plot

import "fmt"

// Outline describes each panel as text: its axes, and the names of its data with the
// numbers of points. It is for readers who do not see the figure, and for tests.
func (g Grid) Outline() (list []string) {
	for _, row := range g.Rows {
		for _, p := range row {
			text := fmt.Sprintf("%s: %s %v to %v, %s %v to %v:", p.Title, p.X.Label, p.X.Min, p.X.Max, p.Y.Label, p.Y.Min, p.Y.Max)
			for _, c := range p.Curves {
				text += fmt.Sprintf(" %s %d", c.Name, len(c.X))
				if c.Low != nil {
					text += " in a band"
				}
			}
			for _, b := range p.Bars {
				text += fmt.Sprintf(" %s %d", b.Name, len(b.X))
			}
			for _, l := range p.Levels {
				text += fmt.Sprintf(" at %v %s", l.At, l.Name)
			}
			list = append(list, text)
		}
	}
	return list
}
