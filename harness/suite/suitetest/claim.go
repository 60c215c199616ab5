package suitetest

import (
	"path/filepath"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// Judge derives verdicts from invented values and returns a golden file with them. The
// function value returns the invented value of a run in a unit of the suite, or false if
// the run has none. The parameter judge says which verdicts to derive.
func Judge(t *testing.T, s *suite.Suite, judge golden.Judge, runs []suite.Runs, value func(r suite.Row, seed int, unit string) (float64, bool)) *golden.File {
	t.Helper()
	run := s.NewRun("invented", "none")
	run.Judge = judge
	for _, r := range runs {
		for seed := 1; seed <= r.Seeds; seed++ {
			row := golden.Row{Name: r.ID().Group().WithSeed(seed)}
			for _, u := range s.Units {
				if v, ok := value(r.Row, seed, u.Name); ok {
					row.Values = append(row.Values, golden.Value{Unit: u.Name, Value: v})
				}
			}
			run.Rows = append(run.Rows, row)
		}
	}
	path := filepath.Join(t.TempDir(), "invented.txt")
	if _, err := golden.UpdateFile(path, run, "invented rows", verdict.Rules); err != nil {
		t.Fatal(err)
	}
	f, err := golden.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Outcomes returns the outcomes of the claims in a file, by the id of the claim.
func Outcomes(f *golden.File) map[string]golden.Outcome {
	found := map[string]golden.Outcome{}
	for _, c := range f.Claims {
		found[c.ID] = c.Outcome
	}
	return found
}
