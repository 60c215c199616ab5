package scan

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/argument"
)

var update = flag.Bool("update", false, "rewrite the printed programs in testdata")

func TestMain(m *testing.M) { argument.Main(m) }

// TestProgramsAreAsPrinted compares the program that Format prints for each test cell
// with a file in testdata, so that the effect of a change of the planner is visible.
// The programs are printed phase by phase; the package comment describes the phases.
func TestProgramsAreAsPrinted(t *testing.T) {
	opts := Options{MaxStrings: 5, MaxRows: 27, MaxSteps: 8, MaxExamples: 20, Moments: 1, MergeWidth: 4}
	for _, c := range testCells {
		t.Run(c.name, func(t *testing.T) {
			got, err := Format(training(t, c), opts)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", c.name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("the program is not that of %s (-file +program); go test -update writes it\n%s", file, diff)
			}
			if again, _ := Format(training(t, c), opts); again != got {
				t.Error("a second call of Format returns another program")
			}
		})
	}
}
