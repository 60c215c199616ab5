package plot

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Styles of SVG elements in colors of the palette.
const (
	blueLine, orangeLine = "stroke:#0072B2", "stroke:#D45D00"
	blueFill, greyFill   = "fill:#0071B1", "fill:#767676"
)

// panel returns a panel with all kinds of data: a curve with a band, two thin curves,
// bars and a level.
func panel() Panel {
	x := []float64{1, 3, 5, 9}
	return Panel{
		Title: "m = 4",
		X:     Axis{Label: "distance, symbols", Min: 0, Max: 10},
		Y:     Axis{Label: "share, %", Min: 0, Max: 100},
		Bars:  []Bars{{Name: "cases", Hue: Grey, X: x, Y: []float64{90, 50, 20, 10}, Width: 2}},
		Curves: []Curve{
			{Name: "mean", Hue: Blue, X: x, Y: []float64{50, 40, 30, 20}, Low: []float64{40, 40, 20, 0}, High: []float64{60, 50, 40, 20}},
			{Name: "runs", Hue: Orange, Thin: true, X: x, Y: []float64{60, 50, 20, 20}},
			{Name: "runs", Hue: Orange, Thin: true, X: x[:3], Y: []float64{60, 50, 40}},
		},
		Levels: []Level{{Name: "half", At: 50}},
	}
}

func grid(panels ...Panel) Grid {
	return Grid{Title: "What it shows", Source: "Where the data come from", Rows: [][]Panel{panels}}
}

// TestGridShowsAllData checks that the SVG of a figure has every curve, band, bar and
// level with its points, and every text.
func TestGridShowsAllData(t *testing.T) {
	second := panel()
	second.Title = "m = 6"
	im := svg(t, grid(panel(), second))
	counts := func(list []path, count func(path) int) (n []int) {
		for _, p := range list {
			n = append(n, count(p))
		}
		return n
	}
	for _, c := range []struct {
		what       string
		have, want []int
	}{
		// A list has a count for each path: first for the sample in the legend, then for the
		// paths in the panels. The count is that of points, for bars that of bars.
		{"means", counts(im.with(blueLine), path.points), []int{2, 4, 4}},
		{"bands", counts(im.with(blueFill), path.points), []int{4, 8, 8}},
		{"runs", counts(im.with(orangeLine), path.points), []int{2, 4, 3, 4, 3}},
		{"bars", counts(im.with(greyFill), path.shapes), []int{1, 4, 4}},
		{"levels", counts(im.with("stroke:#767676", "dasharray"), path.points), []int{2, 2, 2}},
	} {
		if diff := cmp.Diff(c.want, c.have); diff != "" {
			t.Errorf("points of the %s (-want +have):\n%s", c.what, diff)
		}
	}
	for text, want := range map[string]int{
		"What it shows": 1, "Where the data come from": 1, "mean": 1, "runs": 1, "cases": 1, "half": 1,
		"m = 4": 1, "m = 6": 1, "distance, symbols": 2, "share, %": 2, "100": 2,
	} {
		if have := im.says(text); have != want {
			t.Errorf("text %q: have it %d times, want %d", text, have, want)
		}
	}
}

// TestPositionsOfCurve checks that higher values are drawn higher, and that equal
// steps on an axis are drawn as equal distances, even if the axis is logarithmic.
func TestPositionsOfCurve(t *testing.T) {
	p := Panel{
		X: Axis{Label: "x", Min: 0, Max: 4}, Y: Axis{Label: "y", Min: 1, Max: 1000, Log: true},
		Curves: []Curve{{Name: "c", Hue: Blue, X: []float64{0, 2, 4}, Y: []float64{1, 100, 1000}}},
	}
	list := svg(t, grid(p)).with(blueLine)
	var at [6]float64
	fields := strings.FieldsFunc(list[len(list)-1].data, func(r rune) bool { return strings.ContainsRune("ML,", r) })
	if len(fields) != len(at) {
		t.Fatalf("path %q, want three points", list[len(list)-1].data)
	}
	for i, f := range fields {
		at[i] = number(t, f)
	}
	if across, up := at[4]-at[2], at[5]-at[3]; math.Abs(at[2]-at[0]-across) > 0.1 || math.Abs(at[3]-at[1]-2*up) > 0.1 || across < 50 || up < 20 {
		t.Errorf("points %v: want equal steps to the right, and 1 to 100 twice as far up as 100 to 1000", at)
	}
}

// TestBadFigures checks the errors for invalid figures.
func TestBadFigures(t *testing.T) {
	for want, change := range map[string]func(*Grid){
		`curve "mean": have no points, want one or more`:                        func(g *Grid) { g.Rows[0][0].Curves[0].X = nil },
		`curve "mean": have 3 values of y, want 4 as of x`:                      func(g *Grid) { g.Rows[0][0].Curves[0].Y = []float64{1, 2, 3} },
		`curve "mean": have 1 values of high, want 4 as of x`:                   func(g *Grid) { g.Rows[0][0].Curves[0].High = []float64{1} },
		`curve "mean": have one edge of a band, want both or none`:              func(g *Grid) { g.Rows[0][0].Curves[0].Low = nil },
		`curve "mean": have 70 in a band from 40 to 60 at x = 1`:                func(g *Grid) { g.Rows[0][0].Curves[0].Y[0] = 70 },
		`curve "mean": have x = 1, y = NaN, want them on the axes`:              func(g *Grid) { g.Rows[0][0].Curves[0].Y[0] = math.NaN() },
		`curve "mean": have x = 1, y = 101, want them on the axes`:              func(g *Grid) { g.Rows[0][0].Curves[0].Y[0] = 101 },
		`curve "runs": have x = 3 after 3, want ascending ones`:                 func(g *Grid) { g.Rows[0][0].Curves[1].X = []float64{1, 3, 3, 9} },
		`curve "runs": have hue 9, want one of the palette`:                     func(g *Grid) { g.Rows[0][0].Curves[1].Hue = 9 },
		`bars "cases": have hue 4 and width 0`:                                  func(g *Grid) { g.Rows[0][0].Bars[0].Width = 0 },
		`bars "cases": have 1 values of y, want 4 as of x`:                      func(g *Grid) { g.Rows[0][0].Bars[0].Y = []float64{1} },
		`curve "half": have x = 0, y = -1, want them on the axes`:               func(g *Grid) { g.Rows[0][0].Levels[0].At = -1 },
		`axis x: have no label, want one with the unit`:                         func(g *Grid) { g.Rows[0][0].X.Label = "" },
		`axis x: have 10 to 10, want finite ends in ascending order`:            func(g *Grid) { g.Rows[0][0].X.Min = 10 },
		`axis x: have -1e+308 to 1e+308, want ends up to 1e+12`:                 func(g *Grid) { g.Rows[0][0].X.Min, g.Rows[0][0].X.Max = -1e308, 1e308 },
		`axis x: have 1 to 1.0000000000000002, want ends up to 1e+12 that dif`:  func(g *Grid) { g.Rows[0][0].X.Min, g.Rows[0][0].X.Max = 1, math.Nextafter(1, 2) },
		`axis y: have a logarithmic one from 1e-320`:                            func(g *Grid) { g.Rows[0][0].Y.Log, g.Rows[0][0].Y.Min = true, 1e-320 },
		`bars "cases": have hue 4 and width NaN`:                                func(g *Grid) { g.Rows[0][0].Bars[0].Width = math.NaN() },
		`axis y: have a logarithmic one from 0 `:                                func(g *Grid) { g.Rows[0][0].Y.Log = true },
		`axis y: have steps of 0.5, want none or at most 100`:                   func(g *Grid) { g.Rows[0][0].Y.Step = 0.5 },
		`panel 1 of row 1: have no curves and no bars, want some`:               func(g *Grid) { g.Rows[0][0].Bars, g.Rows[0][0].Curves = nil, nil },
		`figure "What it shows": have no panels, want one or more`:              func(g *Grid) { g.Rows = nil },
		`figure "What it shows": have 2 panels in row 2, want 1 as in the firs`: func(g *Grid) { g.Rows = append(g.Rows, []Panel{panel(), panel()}) },
		`figure: have title "What it shows" and source "", want both`:           func(g *Grid) { g.Source = "" },
	} {
		g := grid(panel())
		change(&g)
		var b bytes.Buffer
		for _, write := range []func() error{func() error { return SVG(&b, g) }, func() error { return PNG(&b, g) }} {
			if err := write(); err == nil || !strings.HasPrefix(err.Error(), "plot: ") || !strings.Contains(err.Error(), want) || b.Len() > 0 {
				t.Errorf("error %v after %d bytes, want one that says %q before the first", err, b.Len(), want)
			}
		}
	}
}

// TestPNG checks that a PNG has two dots for each point of the figure's size, and
// that it is not all white.
func TestPNG(t *testing.T) {
	g := grid(panel())
	var b bytes.Buffer
	if err := PNG(&b, g); err != nil {
		t.Fatal(err)
	}
	im, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	width, height := g.size()
	if have := im.Bounds().Size(); have.X != int(2*width) || have.Y != int(2*height) {
		t.Errorf("%v dots, want twice %v by %v points", have, width, height)
	}
	dark := 0
	for y := range im.Bounds().Dy() {
		for x := range im.Bounds().Dx() {
			if r, _, _, _ := im.At(x, y).RGBA(); r < 0x8000 {
				dark++
			}
		}
	}
	if share := float64(dark) / float64(im.Bounds().Dx()*im.Bounds().Dy()); share < 0.01 || share > 0.3 {
		t.Errorf("%v of the dots are dark, want some", share)
	}
}

// TestArrange checks that all rows are full, and that they are as long as possible.
func TestArrange(t *testing.T) {
	for n, want := range [][]int{{}, {1}, {2}, {3}, {4}, {1, 1, 1, 1, 1}, {3, 3}, {1, 1, 1, 1, 1, 1, 1}, {4, 4}} {
		panels := make([]Panel, n)
		for i := range panels {
			panels[i].Title = fmt.Sprint(i)
		}
		var have []int
		at := 0
		for _, row := range Arrange(4, panels) {
			have = append(have, len(row))
			for _, p := range row {
				if p.Title != fmt.Sprint(at) {
					t.Errorf("%d panels: have panel %s, want %d", n, p.Title, at)
				}
				at++
			}
		}
		if !slices.Equal(want, have) || at != n {
			t.Errorf("%d panels: have rows of %v, want %v", n, have, want)
		}
	}
	if have := Coordinates(3); !slices.Equal(have, []float64{1, 2, 3}) {
		t.Errorf("have places %v, want 1 to 3", have)
	}
}
