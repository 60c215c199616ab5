package dyck

import (
	"testing"

	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// TestRecurrent finds the columns of a cell in the parameters.
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
	have := suitetest.Must(recurrent(p, 2, cells))(t)
	want := [][]float64{
		{2000, 2010, 2100, 2110, 2200, 2210, 2300, 2310},
		{2001, 2011, 2101, 2111, 2201, 2211, 2301, 2311},
	}
	suitetest.Equal(t, want, have, "columns of the last cell")
	if _, err := choices(p); err == nil || err.Error() != "dyck: the parameters are [W_h], need E among them" {
		t.Errorf("error %v, want one that says what is missing", err)
	}
}

// TestChoices takes the largest score of each symbol.
func TestChoices(t *testing.T) {
	p := &train.Params{
		Names: []string{"E", "V_att"}, Shapes: [][]int{{4, 2}, {2, 2}},
		Data: [][]float32{{1, 0, 0, 1, 2, 3, -1, -1}, {0, 1, 2, 0}},
	}
	have := suitetest.Must(choices(p))(t)
	// scores: (0, 1), (2, 0), (6, 2), (-2, -1)
	suitetest.Equal(t, []int{1, 0, 0, 1}, have, "choices")
	for _, c := range []struct {
		cell []int
		want bool
	}{{[]int{0, 0, 1, 1, 0, 1}, true}, {[]int{1, 1, 0, 0, 0, 0}, true}, {[]int{0, 1, 0, 1, 0, 0}, false}, {[]int{0, 0, 0, 0, 1, 1}, false}, {[]int{0, 0, 1, 0, 1, 1}, false}} {
		if apart(c.cell, 2) != c.want {
			t.Errorf("%v: apart is %v, want %v", c.cell, !c.want, c.want)
		}
	}
}
