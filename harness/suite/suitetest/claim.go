package suitetest

import (
	"testing"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// Claims decides the claims about results from invented values, and returns the verdicts of those for which
// no value is missing, by the id of the claim. The function value returns the invented value of a run in a unit of
// the suite, or false if the run has none.
func Claims(t *testing.T, s *suite.Suite, runs []suite.Runs, value func(r suite.Row, seed int, unit string) (float64, bool)) map[string]verdict.Outcome {
	t.Helper()
	f := &golden.File{Suite: s.Name, Scale: "invented"}
	for _, u := range s.Units {
		f.Units = append(f.Units, u.Unit)
	}
	for _, r := range runs {
		for _, seed := range r.List() {
			row := golden.Row{Name: r.ID().Group().WithSeed(seed)}
			for _, u := range s.Units {
				if v, ok := value(r.Row, seed, u.Name); ok {
					row.Values = append(row.Values, golden.Value{Unit: u.Name, Value: v})
				}
			}
			f.Rows = append(f.Rows, row)
		}
	}
	found := map[string]verdict.Outcome{}
	results := verdict.NewResults([]*golden.File{f}, s.Claims...)
	for _, c := range papers.Published().Claims {
		if v, ok := results.Claim(c); ok && len(v.Lacking) == 0 {
			found[c.ID] = v.Outcome
		}
	}
	return found
}
