package patterns

import (
	"errors"
	"io/fs"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
)

// TestGoldenIsWhole holds the rows of the golden files against the experiments, so
// that neither a missing row nor one that nothing makes any more stays there. At
// paper scale not every row needs to have been run, but one that was has all of its
// restarts.
func TestGoldenIsWhole(t *testing.T) {
	for _, scale := range []suite.Scale{suite.Smoke, suite.CI, suite.Paper} {
		path, err := golden.Path("patterns", string(scale))
		if err != nil {
			t.Fatal(err)
		}
		g, err := golden.Read(path)
		if errors.Is(err, fs.ErrNotExist) && scale == suite.Paper {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		rows, digests := map[golden.Name]bool{}, map[golden.Name]bool{}
		for _, r := range g.Rows {
			rows[r.Name] = true
		}
		for _, tr := range g.Trajectories {
			digests[tr.Name] = true
		}
		for _, p := range parts(scale) {
			for _, e := range p.list {
				present := 0
				for seed := 1; seed <= e.Restarts; seed++ {
					name := group(e.Row).WithSeed(seed)
					if rows[name] && digests[name] {
						present++
					}
					delete(rows, name)
					delete(digests, name)
				}
				if present < e.Restarts && (present > 0 || scale != suite.Paper) {
					t.Errorf("%s has the row and the trajectory of %d restarts of %s, want %d", path, present, group(e.Row), e.Restarts)
				}
			}
		}
		for name := range rows { // each is reported
			t.Errorf("%s has %s, which no experiment makes", path, name)
		}
		for name := range digests {
			t.Errorf("%s has a trajectory of %s, which no experiment makes", path, name)
		}
	}
}
