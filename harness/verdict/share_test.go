package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
)

// TestSeedsAboveTheMiddle checks that the number of seeds above the middle is shown
// beside a mean of shares if seeds are on both sides of the middle, and in no other
// case.
func TestSeedsAboveTheMiddle(t *testing.T) {
	const group = golden.Name("paper=diffstk/table=1/row=lstm")
	for _, c := range []struct {
		unit, better string
		values       []float64
		want         []string // of each line of the table
	}{
		{"test-acc-%", "higher", []float64{0, 1, 100, 50}, []string{"37.75 ± 48 (n=4, 1 above 50)", "100 (n=4)"}},
		{"test-acc-%", "higher", []float64{50.1, 49, 60}, []string{"53.033 ± 6.1 (n=3, 2 above 50)", "60 (n=3)"}},
		{"test-acc-%", "higher", []float64{0, 1, 50}, []string{"17 ± 29 (n=3)", "50 (n=3)"}},
		{"test-acc-%", "higher", []float64{99, 98, 97}, []string{"98 ± 1 (n=3)", "99 (n=3)"}},
		{"wcpa-fall-%", "lower", []float64{0, 1, 100}, []string{"33.667 ± 57 (n=3)"}},
		{"updates", "higher", []float64{0, 1, 100}, []string{"33.667 ± 57 (n=3)"}},
	} {
		f := file(golden.Unit{Name: c.unit, Better: c.better}, map[golden.Name][]float64{group: c.values})
		var have []string
		for _, l := range sideBySide(f, new(golden.File)) {
			have = append(have, l.golden)
		}
		if d := cmp.Diff(c.want, have); d != "" {
			t.Errorf("%s %v (-want +have)\n%s", c.unit, c.values, d)
		}
		if run := sideBySide(new(golden.File), f); run[0].run != c.want[0] || run[0].golden != "-" {
			t.Errorf("%s %v: the run alone is %q, want %q", c.unit, c.values, run[0].run, c.want[0])
		}
	}
}
