package stepgraph

import (
	"slices"
)

// Differentiate adds the gradient of the loss with respect to every trainable parameter,
// and to every state whose NoGrad is not set. The backward pass starts with gradients that
// are inputs of the graph, which Differentiate adds too. There is one for each loss in the
// batch, and for each of the states one that arrives from the following step. Differentiate
// may be called only once.
func (g *Graph) Differentiate() (err error) {
	defer recoverBuild(&err)
	if g.Loss == nil {
		fail("the graph has no loss")
	}
	if g.forward != len(g.b.nodes) {
		fail("the graph is already differentiated")
	}
	var from []*Node
	seed := map[*Node]*Node{g.Loss: g.b.Input(InputSeed, Example, 1, false)}
	for _, s := range g.States {
		if s.NoGrad {
			continue
		}
		s.GradOut = g.b.leaf("carry."+s.Name, g.b.cfg.Dtype, s.In.Shape()[0], s.In.Shape()[1], g.LayoutOf(s.In))
		seed[s.Out] = s.GradOut
		from = append(from, s.In)
	}
	for _, p := range g.Params {
		if !p.Frozen {
			from = append(from, p.Node)
		}
	}
	grads := g.b.reverse(g.b.nodes[:g.forward], seed, from)
	for _, s := range g.States {
		s.GradIn = grads[s.In]
	}
	for _, p := range g.Params {
		if p.Grad = grads[p.Node]; p.Grad == nil && !p.Frozen {
			fail("parameter %s has no influence on the loss", g.b.describe(p.Node))
		}
	}
	return g.Verify()
}

// contribution is one term of the gradient of a node, which comes from one consumer of the
// node. Usually the gradient g has the shape of the node. If the consumer is a slice, g has
// the shape of the slice, and the field cut is the slice operation.
type contribution struct {
	g   *Node
	cut *Op
}

// reverse propagates gradients backwards through the given nodes. It starts at the nodes in
// the map seed, whose values are their gradients, and ends at the nodes in the list from.
// It returns the gradients of all nodes on a path between the start and the end, both
// included.
func (b *Builder) reverse(nodes []*Node, seed map[*Node]*Node, from []*Node) map[*Node]*Node {
	leads := map[*Node]bool{}
	for _, n := range from {
		leads[n] = true
	}
	for _, n := range nodes {
		if o := OpOf(n); o != nil {
			for i, d := range o.DiffWRT(len(b.inputs[n])) {
				leads[n] = leads[n] || d && leads[b.inputs[n][i]]
			}
		}
	}
	pending := map[*Node][]contribution{}
	for n, g := range seed { // one seed per node, so the order does not matter
		pending[n] = []contribution{{g: g}}
	}
	grads := map[*Node]*Node{}
	for _, n := range slices.Backward(nodes) {
		if !leads[n] || len(pending[n]) == 0 {
			continue
		}
		grads[n] = b.sum(n, pending[n])
		o, in := OpOf(n), b.inputs[n]
		if o == nil {
			continue
		}
		if o.Kind == SliceCols || o.Kind == SliceRows {
			pending[in[0]] = append(pending[in[0]], contribution{grads[n], o})
			continue
		}
		ds, err := o.SymDiff(in, n, grads[n])
		if err != nil {
			panic(buildError{err: err})
		}
		for i, d := range ds {
			if d != nil && leads[in[i]] {
				pending[in[i]] = append(pending[in[i]], contribution{g: d})
			}
		}
	}
	return grads
}

// sum returns the gradient of n: the sum of the contributions in the list, added in order.
func (b *Builder) sum(n *Node, list []contribution) *Node {
	if whole := b.cover(n, list); whole != nil {
		return whole
	}
	var acc *Node
	for _, c := range list {
		switch {
		case c.cut == nil && acc == nil:
			acc = c.g
		case c.cut == nil:
			acc = b.apply(Op{Kind: Add}, acc, c.g)
		case acc == nil:
			kind, total := PadCols, n.Shape()[1]
			if c.cut.Kind == SliceRows {
				kind, total = PadRows, n.Shape()[0]
			}
			acc = b.apply(Op{Kind: kind, I: [3]int{c.cut.I[0], total, c.cut.I[2]}}, c.g)
		default:
			kind := AddAtCols
			if c.cut.Kind == SliceRows {
				kind = AddAtRows
			}
			acc = b.apply(Op{Kind: kind, I: [3]int{c.cut.I[0], 0, c.cut.I[2]}}, acc, c.g)
		}
	}
	return acc
}

// cover returns the contributions in the list, concatenated, if they come from slices that
// together cover n exactly. Otherwise it returns nil.
func (b *Builder) cover(n *Node, list []contribution) *Node {
	sorted := slices.Clone(list)
	for _, c := range sorted {
		if c.cut == nil || c.cut.I[2] != 1 || c.cut.Kind != sorted[0].cut.Kind {
			return nil
		}
	}
	slices.SortStableFunc(sorted, func(x, y contribution) int { return x.cut.I[0] - y.cut.I[0] })
	kind, total := ConcatCols, n.Shape()[1]
	if sorted[0].cut.Kind == SliceRows {
		kind, total = ConcatRows, n.Shape()[0]
	}
	at := 0
	parts := make([]*Node, len(sorted))
	for i, c := range sorted {
		if c.cut.I[0] != at {
			return nil
		}
		at += c.cut.I[1]
		parts[i] = c.g
	}
	if at != total {
		return nil
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return b.apply(Op{Kind: kind}, parts...)
}
