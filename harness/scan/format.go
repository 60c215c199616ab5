package scan

import (
	"fmt"
	"strings"

	"pushdown/harness/kernel"
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
	list := func(title string, code []kernel.Instr) {
		if len(code) > 0 {
			fmt.Fprintln(&b, title)
		}
		for j := range code {
			fmt.Fprintf(&b, "    %s\n", &code[j])
		}
	}
	for i, code := range p.code {
		list(Phase(i).String(), code)
		if Phase(i) == Head {
			list("head, if prediction i belongs to row i", p.inOrder)
		}
	}
	list("recompute, for a segment of steps before backloop", p.recomputed)
	fmt.Fprintf(&b, "words %d\n", p.words)
	return b.String(), nil
}
