package verdict

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
)

// TestShown: only an interval of more than half of 0 to 100 per cent is marked, as
// far as it lies there, and only where it made a number reproduced.
func TestShown(t *testing.T) {
	const avg = "[diffstk:1:lstm:accuracy_percent:test_mean]" // 1.40, higher
	for _, c := range []struct {
		key      string
		outcome  golden.Outcome
		evidence string
		want     string
	}{
		{avg, golden.Reproduced, "n=10 low=0 high=50", "reproduced"},
		{avg, golden.Reproduced, "n=10 low=0 high=50.0001", "reproduced (wide)"},
		{avg, golden.Reproduced, "n=10 low=-40 high=49", "reproduced"},
		{avg, golden.Reproduced, "n=10 low=51 high=150", "reproduced"},
		{avg, golden.Reproduced, "n=10 low=-3.2628 high=103.263", "reproduced (wide)"},
		{avg, golden.Worse, "n=10 low=-40 high=1.3", "worse"},
		{avg, golden.Better, "n=10 low=1.5 high=90", "better"},
		{avg, golden.Undecided, "n=2 need=3", "undecided"},
		{"[second-order-lstm:1:m4-baseline:ppl:test]", golden.Reproduced, "n=5 low=0 high=99", "reproduced"},
		{"[resurgence:1:dyck-m4:epochs_to_converge:reported]", golden.Reproduced, "n=5 low=0 high=99", "reproduced"},
	} {
		v := golden.Verdict{Key: c.key, Outcome: c.outcome, Evidence: c.evidence}
		if have := shown(v, cell(t, c.key).Quantity); have != c.want {
			t.Errorf("%s %s %s: have %s, want %s", c.key, c.outcome, c.evidence, have, c.want)
		}
	}
}

// TestSeedsAboveTheMiddle stand beside a mean of shares if some are on either side,
// and beside nothing else.
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
