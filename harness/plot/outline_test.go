package plot

import (
	"slices"
	"testing"
)

func TestOutline(t *testing.T) {
	g := Grid{Rows: [][]Panel{{{
		Title: "a", X: Axis{Label: "x", Min: 0, Max: 2}, Y: Axis{Label: "y", Min: -1, Max: 1},
		Curves: []Curve{{Name: "c", X: []float64{0, 1}, Y: []float64{0, 1}}, {Name: "d", X: []float64{1}, Y: []float64{1}, Low: []float64{0}, High: []float64{1}}},
		Bars:   []Bars{{Name: "b", X: []float64{1, 2, 3}, Y: []float64{1, 2, 3}}}, Levels: []Level{{Name: "l", At: 0.5}},
	}}}}
	if have, want := g.Outline(), []string{"a: x 0 to 2, y -1 to 1: c 2 d 1 in a band b 3 at 0.5 l"}; !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}
