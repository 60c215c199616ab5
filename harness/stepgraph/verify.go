package stepgraph

import (
	"fmt"
	"maps"
	"slices"
)

// Verify checks what package scan and the TapeMachine rely on. Node hashes must be
// distinct, and nodes must come after their inputs. No operation may mix rows of different
// strings, or values per step with values per example. An operand that must be whole
// numbers must be a whole-number input, and no other operation may read such an input. The
// states and the loss must have the right shapes.
func (g *Graph) Verify() (err error) {
	defer recoverBuild(&err)
	hash := map[uint32]*Node{}
	seen := map[*Node]bool{}
	for _, n := range g.Nodes() {
		if other := hash[n.Hashcode()]; other != nil {
			fail("nodes %v and %v have the same hash", other, n)
		}
		hash[n.Hashcode()] = n
		for _, x := range g.InputsOf(n) {
			if !seen[x] {
				fail("%v comes before its input %v", n, x)
			}
		}
		seen[n] = true
		if OpOf(n) != nil {
			if err := g.accepts(OpOf(n), g.InputsOf(n)); err != nil {
				g.b.refuse(OpOf(n), g.InputsOf(n), err)
			}
		}
	}
	for _, s := range g.States {
		if !s.Out.Shape().Eq(s.In.Shape()) || g.LayoutOf(s.Out) != g.LayoutOf(s.In) {
			fail("next value of state %s: have %s, want [%s]", s.Name, g.b.describe(s.Out), g.b.shape(s.In))
		}
	}
	if g.Loss != nil && (g.LayoutOf(g.Loss).Domain != Example || g.Loss.Shape()[1] != 1) {
		fail("the loss is %v of width %d, want one number per example", aValue(g.LayoutOf(g.Loss).Domain), g.Loss.Shape()[1])
	}
	if g.Loss != nil && g.wholeNumbers(g.Loss) {
		fail("the loss is the whole-number input %s, want numbers", g.Loss.Name())
	}
	for _, name := range slices.Sorted(maps.Keys(g.Outputs)) {
		if n := g.Outputs[name]; g.wholeNumbers(n) {
			fail("output %s is the whole-number input %s, want numbers", name, n.Name())
		}
	}
	return nil
}

// Format returns the graph as text, one line per node.
func (g *Graph) Format() string {
	id := map[*Node]string{}
	text := ""
	for i, n := range g.Nodes() {
		id[n] = fmt.Sprintf("%%%d", i)
		p := g.LayoutOf(n)
		at := p.Domain.String()
		if p.StackMajor {
			at += " stack-major"
		}
		what := n.Name()
		if o := OpOf(n); o != nil {
			what = o.String()
			for _, x := range g.InputsOf(n) {
				what += " " + id[x]
			}
		}
		text += fmt.Sprintf("%-4s %-10s %-16s %s\n", id[n], width(n, p), at, what)
	}
	return text
}

// width returns the shape of n as text. B stands for the number of active strings, E
// for the number of examples.
func width(n *Node, p Layout) string {
	s := n.Shape()
	switch {
	case p.StackMajor:
		return fmt.Sprintf("%dxBx%d", s[0], p.Stacks)
	case p.Domain == Step:
		return fmt.Sprintf("Bx%d", s[1])
	case p.Domain == Example:
		return fmt.Sprintf("Ex%d", s[1])
	}
	return fmt.Sprintf("%dx%d", s[0], s[1])
}
