package attention

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/train"
)

// TestRecurrent checks that recurrent returns the columns of the matrix of each
// cell.
func TestRecurrent(t *testing.T) {
	const h, cells = 2, 3
	p := &train.Params{Names: []string{"W_h"}, Shapes: [][]int{{h, 4 * h * cells}}, Data: make([][]float32, 1)}
	for row := range h {
		for gate := range 4 {
			for cell := range cells {
				for unit := range h {
					p.Data[0] = append(p.Data[0], float32(1000*cell+100*gate+10*unit+row))
				}
			}
		}
	}
	have, err := recurrent(p, 2, cells)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{
		{2000, 2010, 2100, 2110, 2200, 2210, 2300, 2310},
		{2001, 2011, 2101, 2111, 2201, 2211, 2301, 2311},
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("columns of the last cell (-want +have):\n%s", diff)
	}
	if _, err := Choices(p); err == nil || err.Error() != "attention: parameters: have [W_h], want E among them" {
		t.Errorf("error %v, want one that says what is missing", err)
	}
}

// TestChoices checks that Choices returns the cell with the largest score for each
// symbol.
func TestChoices(t *testing.T) {
	p := &train.Params{
		Names: []string{"E", "V_att"}, Shapes: [][]int{{4, 2}, {2, 2}},
		Data: [][]float32{{1, 0, 0, 1, 2, 3, -1, -1}, {0, 1, 2, 0}},
	}
	have, err := Choices(p)
	if err != nil {
		t.Fatal(err)
	}
	// For the four symbols, the scores of the two cells are (0, 1), (2, 0), (6, 2) and
	// (-2, -1).
	if diff := cmp.Diff([]int{1, 0, 0, 1}, have); diff != "" {
		t.Errorf("choices (-want +have):\n%s", diff)
	}
}

// TestTopCells checks that TopCells returns the cell with the largest score, and
// its weight in the softmax of the scores divided by the temperature.
func TestTopCells(t *testing.T) {
	p := &train.Params{Names: []string{"E", "V_att"}, Shapes: [][]int{{6, 1}, {1, 2}}, Data: [][]float32{{2, 3, -1, -4, 0.5, 0}, {0.5, -0.5}}}
	list, err := TopCells(p, 0.4)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range p.Data[0] {
		want := CellWeight{0, 1 / (1 + math.Exp(-math.Abs(float64(x))/0.4))}
		if x < 0 {
			want.Cell = 1
		}
		if list[i].Cell != want.Cell || math.Abs(list[i].Weight-want.Weight) > 1e-15 {
			t.Errorf("symbol %d: %+v, want %+v", i, list[i], want)
		}
	}
}

// TestAngles checks that the angles between equal cells are zero and those between
// random matrices are not.
func TestAngles(t *testing.T) {
	const h, cells = 6, 2
	p := &train.Params{Names: []string{"W_h"}, Shapes: [][]int{{h, 8 * h}}, Data: make([][]float32, 1)}
	for i := range h * 8 * h {
		row, col := i/(8*h), i%(8*h)
		unit := col/(2*h)*h + col%h // the same for both cells
		p.Data[0] = append(p.Data[0], float32((row*7+unit*unit*3+row*unit*5)%23)-11)
	}
	all, err := PrincipalCosines(p, cells)
	if err != nil {
		t.Fatal(err)
	}
	random := RandomCosines(h)
	for i, cosine := range all[0] {
		// A cosine of 1 with a rounding error of some 1e-15 gives an angle of about
		// 1e-7 radians, or 6e-6 degrees.
		if a, r := Degrees(cosine), Degrees(random[i]); a > 1e-5 || r < 5 || r > 90 {
			t.Errorf("angles %v of equal cells, %v of random matrices", a, r)
		}
	}
	if len(all[0]) != h || len(random) != h {
		t.Errorf("%d and %d angles, want %d", len(all[0]), len(random), h)
	}
}
