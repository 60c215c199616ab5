package scan

import (
	"slices"

	"pushdown/harness/stepgraph"
)

// A value that depends on the symbol alone is the same wherever the symbol occurs. For
// example, take the product of a row of an embedding table and a matrix: it is a row of the
// product of the whole table and the matrix. If there are few symbols and many rows, it is
// cheaper to compute the product of the whole table and look up its rows. The bits are the
// same.

// tabulate replaces values that depend on the symbol alone by lookups in tables, which
// are computed once per update. It does not replace a value that is cheap to compute
// from others that are needed anyway.
func (p *plan) tabulate() {
	if p.noSharing {
		return
	}
	var out []*value
	tables := map[*value]*value{}
	for _, v := range p.values {
		if p.tabular(v) && !v.is(stepgraph.Gather) && p.readElsewhere(v) && !p.cheapToCompute(v) {
			ids := p.symbols(v)
			out = p.table(v, tables, out)
			for _, x := range v.in {
				x.uses = slices.DeleteFunc(x.uses, func(u *value) bool { return u == v })
			}
			v.op, v.in = &stepgraph.Op{Kind: stepgraph.Gather}, []*value{tables[v], ids}
			tables[v].uses = append(tables[v].uses, v)
			ids.uses = append(ids.uses, v)
		}
		out = append(out, v)
	}
	p.values = out
	for _, v := range slices.Backward(p.values) {
		if v.live && v.phase == Pre && !v.leaf && len(v.uses) == 0 && !v.isOutput && !v.isGradResult && !v.isNextState {
			v.live = false
			for _, x := range v.in {
				x.uses = slices.DeleteFunc(x.uses, func(u *value) bool { return u == v })
			}
		}
	}
}

// tabular reports whether v depends on a symbol and on parameters alone.
func (p *plan) tabular(v *value) bool { return p.symbols(v) != nil }

// symbols returns the input with the symbols that v depends on, or nil if v is not
// tabular.
func (p *plan) symbols(v *value) *value {
	if x, known := p.symbolOf[v]; known {
		return x
	}
	x := p.findSymbols(v)
	p.symbolOf[v] = x
	return x
}

// findSymbols computes the result of symbols.
func (p *plan) findSymbols(v *value) *value {
	if v.leaf || !v.live || v.phase != Pre || v.layout.StackMajor || v.layout.Domain != stepgraph.Step {
		return nil
	}
	switch k := v.kind(); {
	case k == stepgraph.Gather:
		if v.in[1].leaf && v.in[0].layout.Domain == stepgraph.Static && 2*v.in[0].rows <= p.opts.MaxRows {
			return v.in[1]
		}
		return nil
	case k == stepgraph.MatMul && v.op.I[0] == 0, k == stepgraph.Softmax, k == stepgraph.SliceCols, k == stepgraph.ConcatCols, fusible(k):
	default:
		return nil
	}
	var ids *value
	rows := 0
	for _, x := range v.in {
		if x.layout.Domain == stepgraph.Static {
			continue
		}
		from := p.symbols(x)
		if from == nil || ids != nil && (from != ids || p.symbolCount(x) != rows) {
			return nil
		}
		ids, rows = from, p.symbolCount(x)
	}
	return ids
}

// symbolCount returns the number of rows of the table of a tabular value.
func (p *plan) symbolCount(v *value) int {
	if v.is(stepgraph.Gather) {
		return v.in[0].rows
	}
	for _, x := range v.in {
		if x.layout.Domain != stepgraph.Static {
			return p.symbolCount(x)
		}
	}
	panic("scan: a value that is not tabular")
}

// readElsewhere reports whether v is a result of the graph or is read by a value that
// is not tabular.
func (p *plan) readElsewhere(v *value) bool {
	return v.isOutput || v.isGradResult || v.isNextState || slices.ContainsFunc(v.uses, func(u *value) bool { return !p.tabular(u) })
}

// cheapToCompute reports whether v is cheap to compute from values that are needed
// anyway.
func (p *plan) cheapToCompute(v *value) bool {
	if row := v.kind().Row(); v.is(stepgraph.MatMul) || v.is(stepgraph.Softmax) || row != nil && row.Element != nil && row.Costly {
		return false
	}
	return !slices.ContainsFunc(v.in, func(x *value) bool { return x.layout.Domain != stepgraph.Static && !p.readElsewhere(x) })
}

// table appends the table of v to the list out, after the values that the table is
// computed from, and returns the list. It changes nothing if v has a table already.
func (p *plan) table(v *value, tables map[*value]*value, out []*value) []*value {
	if tables[v] != nil {
		return out
	}
	t := &value{node: v.node, op: v.op, layout: stepgraph.Layout{Domain: stepgraph.Static},
		rows: p.symbolCount(v), cols: v.cols, live: true, phase: Update}
	for _, x := range v.in {
		switch {
		case x.layout.Domain == stepgraph.Static:
		case x.is(stepgraph.Gather) && tables[x] == nil:
			x = x.in[0]
		default:
			out = p.table(x, tables, out)
			x = tables[x]
		}
		t.in = append(t.in, x)
		x.uses = append(x.uses, t)
	}
	t.id, tables[v] = len(p.values)+len(tables), t
	return append(out, t)
}
