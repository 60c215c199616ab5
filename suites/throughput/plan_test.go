package throughput

import (
	"path/filepath"
	"strings"
	"testing"

	"pushdown/harness/scan"
)

// TestPlans holds the program of an update of each case, as printed, against a
// golden file. At these sizes it shows what small networks do without: products
// merged, the loss taken block by block.
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
