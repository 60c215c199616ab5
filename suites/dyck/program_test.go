package dyck

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
)

// TestProgram holds the programs that train and evaluate the Dyck-RNN for m = 4
// against their printed form, so that a change of plan is seen.
func TestProgram(t *testing.T) {
	e := Table2()[0]
	model, err := e.Model(e.M, e.K)
	if err != nil {
		t.Fatal(err)
	}
	for _, training := range []bool{true, false} {
		name := map[bool]string{true: "train", false: "evaluate"}[training]
		g, err := model.Build(stepgraph.Config{Training: training})
		if err != nil {
			t.Fatal(err)
		}
		if training {
			if err := g.Differentiate(); err != nil {
				t.Fatal(err)
			}
		}
		got, err := scan.Format(g, scan.Options{Strings: 512, Rows: 512 * 123, Steps: 123, Examples: 512, Moments: 2, GradScale: gradScale})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", "program-"+name+".txt")
		if *golden.Flag() != "" {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got):\n%s", path, d)
		}
	}
}
