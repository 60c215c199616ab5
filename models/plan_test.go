package models_test

import (
	"path/filepath"
	"testing"

	"pushdown/harness/scan"
	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// TestPlans compares the printed program of package scan for each model in training
// with a golden file. The program shows which operations are moved out of the time
// loop, merged or grouped, and which values of the forward pass are stored for the
// backward pass. The batch has 4 strings of up to 5 symbols, and the optimizer is Adam.
func TestPlans(t *testing.T) {
	for _, n := range append(models.All(), withDropout(t)) {
		t.Run(n.Name, func(t *testing.T) {
			g := buildFor(t, n, stepgraph.Config{Training: true, Seed: 1})
			if err := g.Differentiate(); err != nil {
				t.Fatal(err)
			}
			plan, err := scan.Format(g, scan.Options{MaxStrings: 4, MaxRows: 20, MaxSteps: 5, MaxExamples: 20, Moments: 2})
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := about(n)
			golden(t, filepath.Join("testdata", "plan", n.Name+".txt"), name+"\n\n"+plan)
		})
	}
}
