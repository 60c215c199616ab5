package suitetest

import (
	"path/filepath"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// Judge judges runs that nobody made: value returns what each has in a unit of the
// suite, or false if it has none. It returns the golden file that comes of it.
func Judge(t *testing.T, s *suite.Suite, judge golden.Judge, runs []suite.Runs, value func(r suite.Row, seed int, unit string) (float64, bool)) *golden.File {
	t.Helper()
	run := s.NewRun("invented", "none")
	run.Judge = judge
	for _, r := range runs {
		for seed := 1; seed <= r.Seeds; seed++ {
			row := golden.Row{Name: r.Place().Group().WithSeed(seed)}
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

// Outcomes returns the outcomes of the claims of a file.
func Outcomes(f *golden.File) map[string]golden.Outcome {
	found := map[string]golden.Outcome{}
	for _, c := range f.Claims {
		found[c.ID] = c.Outcome
	}
	return found
}
