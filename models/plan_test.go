package models_test

import (
	"path/filepath"
	"testing"

	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
)

// TestPlans holds the program that package scan makes of each model in training,
// as printed, against a golden file: what is hoisted out of the time loop, merged,
// grouped and kept shows there. The batch is that of 4 strings of up to 5 symbols,
// with Adam.
func TestPlans(t *testing.T) {
	for _, c := range append(cases(), named{"training-with-dropout", withDropout}) {
		t.Run(c.name, func(t *testing.T) {
			m, err := c.model()
			if err != nil {
				t.Fatal(err)
			}
			g, err := m.Build(stepgraph.Config{Training: true, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Differentiate(); err != nil {
				t.Fatal(err)
			}
			plan, err := scan.Format(g, scan.Options{Strings: 4, Rows: 20, Steps: 5, Examples: 20, Moments: 2})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join("testdata", "plan", c.name+".txt"), m.Name+"\n\n"+plan)
		})
	}
}
