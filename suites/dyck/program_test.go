package dyck

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite/suitetest"
)

// TestProgram holds the programs that train and evaluate the Dyck-RNN for m = 4
// against their printed form, so that a change of plan is seen.
func TestProgram(t *testing.T) {
	e := Table2()[0]
	model := suitetest.Must(e.Model(e.M, e.K))(t)
	for _, training := range []bool{true, false} {
		name := map[bool]string{true: "train", false: "evaluate"}[training]
		g := suitetest.Must(model.Build(stepgraph.Config{Training: training}))(t)
		if training {
			if err := g.Differentiate(); err != nil {
				t.Fatal(err)
			}
		}
		got := suitetest.Must(scan.Format(g, scan.Options{Strings: 512, Rows: 512 * 123, Steps: 123, Examples: 512, Moments: 2, GradScale: gradScale}))(t)
		path := filepath.Join("testdata", "program-"+name+".txt")
		if *golden.Flag() != "" {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want := suitetest.Must(os.ReadFile(path))(t)
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}
