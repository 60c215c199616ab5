package recognition

import (
	"slices"
	"strings"
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

// TestEveryClaimIsJudged checks that the tables judge every claim of the paper on its results
// except D10, which is about text, and that with all rows present no claim lacks a value.
func TestEveryClaimIsJudged(t *testing.T) {
	asked := suitetest.Must(suite.Judge(suite.Paper, Suite.At(suite.Paper)...))(t)
	asked.Claims = slices.Compact(slices.Sorted(slices.Values(asked.Claims)))
	var all []string
	for _, c := range papers.Published().Claims {
		if c.Paper == "diffstk" && c.ID != "D10" && !c.Printed {
			all = append(all, c.ID)
		}
	}
	slices.Sort(all)
	if !slices.Equal(asked.Claims, all) {
		t.Errorf("claims %v are asked for, want %v", asked.Claims, all)
	}
	f := suitetest.Judge(t, &Suite, asked, Suite.Rows(suite.Paper), func(suite.Row, int, string) (float64, bool) { return 50, true })
	if len(f.Claims) != len(asked.Claims) {
		t.Errorf("%d claims are judged, want %d", len(f.Claims), len(asked.Claims))
	}
	for _, c := range f.Claims {
		if strings.Contains(c.Evidence, "missing") || strings.Contains(c.Evidence, "short") {
			t.Errorf("%s: %s, %s", c.ID, c.Outcome, c.Evidence)
		}
	}
	// 48 rows have 6 printed numbers each, and 18 rows have 4.
	if len(f.Verdicts) != 48*6+18*4 {
		t.Errorf("%d verdicts, want %d", len(f.Verdicts), 48*6+18*4)
	}
}
