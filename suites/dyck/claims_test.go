package dyck

import (
	"slices"
	"testing"

	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/verdict"
)

// decide judges a claim on invented runs of three seeds. In every run of the row
// list[i] the value of the given unit is values[i]. For S05 the runs also have a WCPA
// of zero, as the claim says.
func decide(t *testing.T, claim, unit string, list []suite.Row, values []float64) verdict.Outcome {
	t.Helper()
	found := suitetest.Claims(t, &Suite, suite.Seeds(3, list...), func(r suite.Row, _ int, u string) (float64, bool) {
		if u == unit {
			return values[slices.IndexFunc(list, func(x suite.Row) bool { return x.ID() == r.ID() })], true
		}
		return 0, claim == "S05" && u == "test-wcpa-%"
	})
	return found[claim]
}

// TestClaims checks each claim that the suite measures. It must hold for runs that are just good
// enough, and fail if the runs of a single row are worse than that.
func TestClaims(t *testing.T) {
	of := func(kinds ...Kind) (list []suite.Row) {
		for _, e := range Table1(depths...) {
			if slices.Contains(kinds, e.Kind) {
				list = append(list, e)
			}
		}
		return list
	}
	pairs, attention := of(Baseline, Attention), of(Attention)
	var readouts []suite.Row
	for _, m := range depths {
		for _, n := range networks {
			readouts = append(readouts, readout(m, n, m))
		}
	}
	for _, c := range []struct {
		claim, unit string
		list        []suite.Row
		good        []float64
		spoil       int // index of the row that gets the bad value; -1: each row in turn
		bad         float64
	}{
		{"R08", "test-wcpa-%", readouts, slices.Repeat([]float64{50}, 12), -1, 50.1},
		{"S05", "test-lowest-from-300", of(Baseline)[2:], []float64{30}, -1, 31},
		{"S06", "wcpa-fall-%", pairs[:4], []float64{10, 9.9, 400, 300}, 3, 400},
		{"S06", "wcpa-fall-%", pairs[:4], []float64{10, 9.9, 400, 300}, 0, 9.9},
		{"S07", "epochs-best", pairs, []float64{100, 99, 80, 20, 5, 4}, 5, 5},
		{"S07", "epochs-best", pairs, []float64{100, 99, 80, 20, 5, 4}, 1, 101},
		{"S09", "cosine-max", attention, []float64{0.9, 0.99, 0.999999}, -1, 1 - 0x1p-50},
		{"S10", "kinds-apart", attention[:1], []float64{1}, -1, 0},
		{"S11", "cell-by-symbol", attention, []float64{1, 1, 1}, -1, 0},
	} {
		if have := decide(t, c.claim, c.unit, c.list, c.good); have != verdict.Holds {
			t.Errorf("%s of %v: %s, want %s", c.claim, c.good, have, verdict.Holds)
		}
		for i := range c.list {
			if c.spoil >= 0 && i != c.spoil {
				continue
			}
			values := slices.Clone(c.good)
			values[i] = c.bad
			if have := decide(t, c.claim, c.unit, c.list, values); have != verdict.Fails {
				t.Errorf("%s of %v: %s, want %s", c.claim, values, have, verdict.Fails)
			}
		}
	}
}
