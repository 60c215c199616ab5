package dyck

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"pushdown/harness/rng"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// figures keeps what the figures of second-order-lstm show of a run as
// artifacts: validation WCPA by epoch, and of an attention model the angles and,
// for m = 4, the heat map at the temperature of the best parameters.
func (e LanguageModel) figures(t *testing.T, res *train.Result) {
	suite.Artifact(t, "wcpa.txt", func(w io.Writer) error {
		for i, c := range res.Checks {
			if _, err := fmt.Fprintln(w, i+1, c.Figures[0]); err != nil {
				return err
			}
		}
		return nil
	})
	if e.Kind != Attention {
		return
	}
	suite.Artifact(t, "angles.txt", func(w io.Writer) error { return e.angleTable(w, res.Params) })
	if e.M == 4 {
		suite.Artifact(t, "heatmap.txt", func(w io.Writer) error { return e.HeatMap(w, res.Params, best(res.Checks).Scalars[0]) })
	}
}

// angleTable writes the principal angles between the hidden-to-hidden matrices of
// each two cells in degrees, the smallest first, and beside them those of two
// matrices of the same shape with normal numbers, whose angles are above zero,
// too.
func (e LanguageModel) angleTable(w io.Writer, p *train.Params) error {
	all, err := angles(p, e.Cells)
	if err != nil {
		return err
	}
	for i, cosine := range e.randomCosines() {
		line := []any{degrees(cosine)}
		for _, pair := range all {
			line = append(line, degrees(pair[i]))
		}
		if _, err := fmt.Fprintln(w, line...); err != nil {
			return err
		}
	}
	return nil
}

// randomCosines are those of two matrices with normal numbers in the shape of a
// cell's.
func (e LanguageModel) randomCosines() []float64 {
	stream := rng.New(uint64(e.Hidden), "angles")
	var random [2][]column
	for i := range random {
		for j := range e.Hidden {
			c := make(column, 4*e.Hidden)
			for k := range c {
				c[k] = float64(stream.Normal(rng.At{Unit: uint32(k), Row: uint32(j), T: uint32(i)}))
			}
			random[i] = append(random[i], c)
		}
	}
	return cosines(random[0], random[1])
}

// degrees is the angle of a cosine.
func degrees(cosine float64) float64 { return math.Acos(cosine) * 180 / math.Pi }

// TestSample: the published string is one of the language, as long and as deep
// as it was found to be.
func TestSample(t *testing.T) {
	lang, err := published(4).Language()
	if err != nil {
		t.Fatal(err)
	}
	text, err := parse(lang, sample)
	if err != nil {
		t.Fatal(err)
	}
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
	e := second(4, Attention)
	p := &train.Params{Names: []string{"E", "V_att"}, Shapes: [][]int{{6, 1}, {1, 2}}, Data: [][]float32{{2, 3, -1, -4, 0.5, 0}, {0.5, -0.5}}}
	list, err := shades(p, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range p.Data[0] {
		want := shade{0, 1 / (1 + math.Exp(-math.Abs(float64(x))/0.4))}
		if x < 0 {
			want.cell = 1
		}
		if list[i].cell != want.cell || math.Abs(list[i].by-want.by) > 1e-15 {
			t.Errorf("symbol %d: %+v, want %+v", i, list[i], want)
		}
	}
	var text bytes.Buffer
	if err := e.HeatMap(&text, p, 0.4); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	for i, want := range map[int]string{0: "START 1 ", 1: "(b 1 ", 3: "b) 2 ", 103: "END 1 0.5", 104: ""} {
		if len(lines) != 105 || !strings.HasPrefix(lines[i], want) {
			t.Fatalf("line %d of %d is %q, want %q at the beginning", i+1, len(lines), lines[i], want)
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
	var text bytes.Buffer
	if err := e.angleTable(&text, p); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	for _, line := range lines {
		var random, between float64
		if _, err := fmt.Sscan(line, &random, &between); err != nil {
			t.Fatal(err)
		}
		// A cosine that is off by 2e-16 times some tens is an angle of 1e-7.
		if between > 1e-5 || random < 5 || random > 90 {
			t.Errorf("angles %v of equal cells, %v of random matrices", between, random)
		}
	}
	if len(lines) != e.Hidden {
		t.Errorf("%d angles, want %d", len(lines), e.Hidden)
	}
}
