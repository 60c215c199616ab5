package dyck

import (
	"math"
	"strings"
	"testing"

	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// TestSample: the published string is one of the language, as long and as deep
// as it was found to be.
func TestSample(t *testing.T) {
	lang := suitetest.Must(published(4).Language())(t)
	text := suitetest.Must(parse(lang, sample))(t)
	if have, want := lang.Format(text), strings.Join(strings.Fields(sample), " "); have != want {
		t.Errorf("read as\n%s, want\n%s", have, want)
	}
	if _, err := lang.Closings(nil, text); err != nil || len(text) != 102 || len(text) < lang.Min || len(text) >= lang.Max {
		t.Errorf("%d brackets, error %v, want 102 of %v", len(text), err, lang)
	}
	lang.M = 3
	if _, err := lang.Closings(nil, text); err == nil {
		t.Error("the string is of depth 3, want 4")
	}
	if _, err := parse(lang, "(a a) (c"); err == nil || !strings.HasPrefix(err.Error(), `dyck: word 3 is "(c"`) {
		t.Errorf("error %v, want one that names the third word", err)
	}
}

// TestHeatMap: each symbol goes to the cell of its largest score, by the softmax
// of the scores over the temperature.
func TestHeatMap(t *testing.T) {
	p := &train.Params{Names: []string{"E", "V_att"}, Shapes: [][]int{{6, 1}, {1, 2}}, Data: [][]float32{{2, 3, -1, -4, 0.5, 0}, {0.5, -0.5}}}
	list := suitetest.Must(shades(p, 0.4))(t)
	for i, x := range p.Data[0] {
		want := shade{0, 1 / (1 + math.Exp(-math.Abs(float64(x))/0.4))}
		if x < 0 {
			want.cell = 1
		}
		if list[i].cell != want.cell || math.Abs(list[i].by-want.by) > 1e-15 {
			t.Errorf("symbol %d: %+v, want %+v", i, list[i], want)
		}
	}
}

// TestAngles: equal cells have no angle between them, other cells and random
// matrices have.
func TestAngles(t *testing.T) {
	e := second(2, Attention)
	p := &train.Params{Names: []string{"W_h"}, Shapes: [][]int{{e.Hidden, 8 * e.Hidden}}, Data: make([][]float32, 1)}
	for i := range e.Hidden * 8 * e.Hidden {
		row, col := i/(8*e.Hidden), i%(8*e.Hidden)
		unit := col/(2*e.Hidden)*e.Hidden + col%e.Hidden // of both cells
		p.Data[0] = append(p.Data[0], float32((row*7+unit*unit*3+row*unit*5)%23)-11)
	}
	all := suitetest.Must(angles(p, e.Cells))(t)
	random := e.randomCosines()
	for i, cosine := range all[0] {
		// A cosine that is off by 2e-16 times some tens is an angle of 1e-7.
		if a, r := degrees(cosine), degrees(random[i]); a > 1e-5 || r < 5 || r > 90 {
			t.Errorf("angles %v of equal cells, %v of random matrices", a, r)
		}
	}
	if len(all[0]) != e.Hidden || len(random) != e.Hidden {
		t.Errorf("%d and %d angles, want %d", len(all[0]), len(random), e.Hidden)
	}
}
