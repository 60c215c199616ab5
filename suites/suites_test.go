package suites

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/golden/papers"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
)

// TestReadingsAreRows checks that each row that was tried as a reading of a table is one of a suite.
// Each suite checks that its own have results.
func TestReadingsAreRows(t *testing.T) {
	all := map[golden.Name]bool{}
	for _, s := range All {
		maps.Copy(all, s.Groups(suite.Paper))
	}
	for _, r := range papers.TableInterpretations() {
		for _, row := range r.Rows {
			if name := golden.Name("paper=" + r.Paper + "/" + row); !all[name] {
				t.Errorf("papers.TableInterpretations: table %s of %s: have %s, want a row of a suite", r.Table, r.Paper, name)
			}
		}
	}
}

// TestEveryNumberIsMeasured checks that a suite has the row and the unit of each printed number, unless no run measures it.
func TestEveryNumberIsMeasured(t *testing.T) {
	units := map[golden.Name]map[string]bool{}
	for _, s := range All {
		for name := range s.Groups(suite.Paper) {
			if units[name] == nil {
				units[name] = map[string]bool{}
			}
			for _, u := range s.Units {
				units[name][u.Name] = true
			}
		}
	}
	for _, n := range papers.Published().Numbers {
		if unit := n.Quantity.Unit; unit != "" && !units[golden.Name(n.Group())][unit] {
			t.Errorf("%v: have no suite with the row %s and the unit %s, want one: see the row in the table and the place in units.csv", n.Key, n.Group(), unit)
		}
	}
}

// TestEverySuiteIsListed checks that All has the suite of every folder that has one.
func TestEverySuiteIsListed(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("*", "suite.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("have %d suites (%v), want some", len(files), err)
	}
	var folders, listed []string
	for _, f := range files {
		folders = append(folders, filepath.Dir(f))
	}
	for _, s := range All {
		listed = append(listed, s.Name)
	}
	if slices.Sort(folders); !slices.Equal(folders, listed) {
		t.Errorf("suites differ (-folders +All):\n%s", cmp.Diff(folders, listed))
	}
}
