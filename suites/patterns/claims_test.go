package patterns

import (
	"slices"
	"testing"

	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/verdict"
)

// verdicts judges the claims of a table on invented results. value returns the value of
// a unit for a restart, or false if the restart has none.
func verdicts(t *testing.T, table int, value func(e Experiment, seed int, unit string) (float64, bool)) map[string]verdict.Outcome {
	t.Helper()
	p := Suite.Tables[table].At(suite.Paper)
	found := suitetest.Claims(t, &Suite, p.Runs, func(r suite.Row, seed int, unit string) (float64, bool) {
		return value(r.(Experiment), seed, unit)
	})
	return found
}

// Indices in Suite.Tables.
const (
	table2  = 0
	figures = 2
	stacks  = 3
)

// TestClaimsHold checks that the claims on table 2 hold for the numbers that the paper
// prints. It also checks that the claims on figures and stacks hold for invented restarts,
// of which those that validation chooses behave as the paper says.
func TestClaimsHold(t *testing.T) {
	printed := map[string][]float64{ // by row, in sixtieths, in the order of the tasks
		"rnn": {15, 14, 8, 14, 20}, "lstm": {60, 60, 41, 45, 60}, "list-rnn": {60, 20, 60, 60, 60},
		"stack-rnn": {60, 60, 60, 60, 26}, "stack-rnn-rounding": {60, 60, 60, 60, 60},
	}
	got := verdicts(t, table2, func(e Experiment, _ int, unit string) (float64, bool) {
		if unit == "valid-ce" {
			return 1, true
		}
		return 100 * printed[e.Row.Row][slices.Index(Counting, e.Task)] / 60, unit == "test-lengths-%"
	})
	want := map[string]verdict.Outcome{"J01": verdict.Holds, "J02": verdict.Holds, "J03": verdict.Holds, "J04": verdict.Holds, "J05": verdict.Holds}
	suitetest.Equal(t, want, got, "table 2")

	got = verdicts(t, figures, func(e Experiment, seed int, unit string) (float64, bool) {
		good := !e.Networks[0].Baseline() && (e.Row.Row != "list-rnn" || seed%2 == 0)
		switch unit {
		case "valid-ce":
			return 1 - percent(good)/200, true
		case "test-strings-60-%":
			return percent(good) - percent(good)/10*float64(seed%2), true
		case "generalises-%":
			return percent(good), true
		case "test-strings-long-%":
			if e.Answers() {
				return 10 * float64(seed), true // far apart
			}
			return 90 + float64(seed)/10, true
		}
		return 0, false
	})
	want = map[string]verdict.Outcome{"J06": verdict.Holds, "J07": verdict.Holds, "J08": verdict.Holds}
	suitetest.Equal(t, want, got, "figure 2")

	got = verdicts(t, stacks, func(e Experiment, seed int, unit string) (float64, bool) {
		good := float64(min(seed%3, 1))
		if unit == "valid-ce" {
			return 2 - good, true
		}
		value, ok := map[string]float64{"pattern-%": 100, "roles": 4, "test-strings-long-%": 90}[unit]
		return value * good, ok
	})
	want = map[string]verdict.Outcome{"J11": verdict.Holds, "J14": verdict.Holds}
	suitetest.Equal(t, want, got, "traces")
}

// TestClaimsGoByValidation checks that the restart with the lowest validation loss counts:
// if this restart is bad, a claim fails even if other restarts are good.
func TestClaimsGoByValidation(t *testing.T) {
	misled := func(good map[string]float64) func(Experiment, int, string) (float64, bool) {
		return func(e Experiment, seed int, unit string) (float64, bool) {
			if unit == "valid-ce" {
				return 1 + float64(seed%2), true // even restarts are chosen
			}
			switch {
			case e.Row.Figure == "2" && e.Networks[0].Baseline():
				return 0, true
			case e.Row.Figure == "3" && unit == "test-strings-long-%":
				return 90, true
			}
			return good[unit] * float64(seed%2), true
		}
	}
	for _, c := range []struct {
		table int
		good  map[string]float64
		fail  []string
	}{
		{table2, map[string]float64{"test-lengths-%": 100}, []string{"J02", "J04"}},
		{figures, map[string]float64{"test-strings-60-%": 100}, []string{"J06"}},
		{stacks, map[string]float64{"pattern-%": 100, "roles": 4}, []string{"J11", "J14"}},
	} {
		got := verdicts(t, c.table, misled(c.good))
		for _, id := range c.fail {
			if got[id] != verdict.Fails {
				t.Errorf("the chosen restart is bad: claim %s %s, want it to fail", id, got[id])
			}
		}
	}
}

// TestClaimsFail checks that claims fail for networks that are all alike and learn nothing,
// except J14, which presumes that they have learned to add.
func TestClaimsFail(t *testing.T) {
	zero := func(e Experiment, _ int, unit string) (float64, bool) { return 0, true }
	got := verdicts(t, figures, zero)
	want := map[string]verdict.Outcome{"J06": verdict.Fails, "J07": verdict.Fails, "J08": verdict.Fails}
	suitetest.Equal(t, want, got, "figure 2")
	got = verdicts(t, stacks, zero)
	suitetest.Equal(t, map[string]verdict.Outcome{"J11": verdict.Fails, "J14": verdict.Undecided}, got, "traces")
}
