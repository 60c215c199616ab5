package celltest

import (
	"fmt"
	"strings"
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
		one, two := printed(g), printed(build(t, n, cfg))
		for i := range min(len(one), len(two)) {
			if one[i] != two[i] {
				t.Errorf("network %s: a second build has %s, want %s as the first (does a method of the cell range over a map, or change the cell?)", n.Name, two[i], one[i])
				break
			}
		}
		if len(one) != len(two) {
			t.Errorf("network %s: a second build has %d parameters, states and nodes, want %d as the first", n.Name, len(two), len(one))
		}
		if cfg.Training {
			if err := g.Differentiate(); err != nil {
				t.Error(err)
			}
		}
	}
}

// printed returns the parameters, states and nodes of a graph as text, a line for each.
func printed(g *stepgraph.Graph) []string {
	var lines []string
	for _, p := range g.Params {
		lines = append(lines, fmt.Sprintf("parameter %+v", p.Spec))
	}
	for _, s := range g.States {
		lines = append(lines, fmt.Sprintf("state %+v with next value %v", s.StateSpec, stepgraph.OpOf(s.Out)))
	}
	return append(lines, strings.Split(g.Format(), "\n")...)
}
