package throughput

import (
	"math"
	"testing"
)

// TestFLOPs holds what a token of each case costs against figures worked out by
// hand from the equations.
func TestFLOPs(t *testing.T) {
	million := map[string]float64{"a": 26.9, "b": 8.07, "c": 132.8, "d": 0.0125}
	for _, c := range Cases() {
		have, err := c.FLOPs()
		if err != nil {
			t.Fatal(err)
		}
		want, ok := million[c.Name]
		if !ok {
			t.Errorf("case %s: no figure, want one", c.Name)
		}
		if off := have/(want*1e6) - 1; math.Abs(off) > 0.01 {
			t.Errorf("case %s: %.4g FLOP a token, want %.4g million", c.Name, have, want)
		}
	}
}
