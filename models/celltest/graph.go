package celltest

import (
	"fmt"
	"testing"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// checkGraph checks that a network can be built and differentiated, that its number of
// parameters is that of its formula, and that a second build gives the same graph.
func checkGraph(t testing.TB, n models.Sample) {
	t.Helper()
	for _, cfg := range []stepgraph.Config{{}, {Training: true, Seed: 1}} {
		g := build(t, n, cfg)
		if have, want := n.Count(), g.CountParams(); have != want {
			t.Errorf("network %s: Count returns %d, want %d, the number of trained elements in the graph", n.Name, have, want)
		}
		if one, two := printed(g), printed(build(t, n, cfg)); one != two {
			t.Errorf("network %s: two builds give different graphs, want equal ones (does a method of the cell range over a map, or change the cell?)\nfirst:\n%s\nsecond:\n%s", n.Name, one, two)
		}
		if cfg.Training {
			if err := g.Differentiate(); err != nil {
				t.Error(err)
			}
		}
	}
}

// printed returns the parameters, states and nodes of a graph as text.
func printed(g *stepgraph.Graph) string {
	text := ""
	for _, p := range g.Params {
		text += fmt.Sprintf("%+v\n", p.Spec)
	}
	for _, s := range g.States {
		text += fmt.Sprintf("%+v next %v\n", s.StateSpec, stepgraph.OpOf(s.Out))
	}
	return text + g.Format()
}
