package recognition

import (
	"maps"
	"slices"
	"testing"

	"pushdown/golden/papers"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
)

// TestControls compares each row with its control. In table 6, the control of a row with noise
// is the same experiment without it. With noise and carry-forward added, this control must
// equal the experiment of table 1, which is compared with it in table 7 and is the control
// of table 8. A row of Announced must differ from its control in a single setting.
func TestControls(t *testing.T) {
	bare := func(e Experiment) Experiment { e.Row = suite.RowID{}; return e }
	var six, eight []Experiment
	for _, n := range ablated() {
		control := bare(plain("1", "D2", n))
		noise, both, grown := control, control, control
		noise.Noise = 0.05
		both.Noise, both.Carry = 0.05, true
		grown.Noise, grown.Carry, grown.Blocks = 0.05, true, 10
		suitetest.Equal(t, both, bare(printed("1", "D2", n)), "%s of table 1", n)
		six, eight = append(six, control, noise), append(eight, grown)
	}
	for name, c := range map[string]struct{ want, have []Experiment }{"6": {six, Table6()}, "8": {eight, Table8()}} {
		for i := range c.have {
			c.have[i] = bare(c.have[i])
		}
		suitetest.Equal(t, c.want, c.have, "table %s", name)
	}
	for _, e := range Announced() {
		changes, control, carried := 0, printed("1", "D2", e.Network), e.Noise == 0
		if carried { // carry-forward alone, compared with the control of table 6
			control = plain("1", "D2", e.Network)
		}
		for _, changed := range []bool{e.Ordinary, carried && e.Carry, e.Label != OfString} {
			if changed {
				changes++
			}
		}
		if task := e.Row.Task; changes != 1 {
			t.Errorf("%s changes %d things, want one", task, changes)
		}
		e.Ordinary, e.Carry, e.Label = false, control.Carry, OfString
		suitetest.Equal(t, bare(control), bare(e), "%s beside its change", e.Row.Task)
	}
}

// TestEveryClaimIsJudged checks that the rows of the suite are enough to decide every claim of the paper on its
// results except D10, which is about text.
func TestEveryClaimIsJudged(t *testing.T) {
	var all []string
	for _, c := range papers.Published().Claims {
		if c.Paper == "diffstk" && c.ID != "D10" && !c.Printed {
			all = append(all, c.ID)
		}
	}
	slices.Sort(all)
	found := suitetest.Claims(t, &Suite, Suite.Rows(suite.Paper), func(suite.Row, int, string) (float64, bool) { return 50, true })
	suitetest.Equal(t, all, slices.Sorted(maps.Keys(found)), "claims")
}
