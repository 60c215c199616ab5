package scan

import (
	"fmt"
	"strings"

	"pushdown/harness/stepgraph"
)

// Format returns the text of the program that Compile makes from a graph, phase by
// phase. The text does not depend on a device.
func Format(g *stepgraph.Graph, opts Options) (string, error) {
	if err := opts.check(); err != nil {
		return "", err
	}
	p, err := planned(g, opts)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "graph\n%s", g.Format())
	for i, code := range p.code {
		if len(code) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%v\n", Phase(i))
		for j := range code {
			fmt.Fprintf(&b, "    %s\n", &code[j])
		}
	}
	if len(p.recomputed) > 0 {
		fmt.Fprintln(&b, "recompute, for a segment of steps before backloop")
		for j := range p.recomputed {
			fmt.Fprintf(&b, "    %s\n", &p.recomputed[j])
		}
	}
	fmt.Fprintf(&b, "words %d\n", p.words)
	return b.String(), nil
}
