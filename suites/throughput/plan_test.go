package throughput

import (
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/scan"
)

// TestPlans compares the printed program of an update of each case with a golden file.
// At these sizes the programs have optimizations that small networks do not need:
// merged products and a loss computed for some of the predictions at a time.
func TestPlans(t *testing.T) {
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			m, err := c.Model()
			if err != nil {
				t.Fatal(err)
			}
			g, opts, err := training(m.Build, newStream(c), rule)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := scan.Format(g, opts)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.NewReplacer("/", "-", "=", "").Replace(c.Name) + ".txt"
			golden(t, filepath.Join("testdata", "plan", name), c.String()+"\n\n"+plan)
		})
	}
}
