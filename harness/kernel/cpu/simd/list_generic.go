package simd

import "pushdown/harness/numeric"

func listStepGeneric(t ListArgs, dst *float32, ldd int) {
	if t.C == 0 {
		return
	}
	for r := range t.D {
		to, here := Line(dst, r, ldd, t.C), Line(t.S, r, t.Lds, t.C)
		before, after, x := t.sources(r)
		for c, w := range Line(t.Right, 0, 0, t.C) {
			to[c] = w * value(after, c, t.Empty)
		}
		for c, w := range Line(t.Left, 0, 0, t.C) {
			to[c] = numeric.FMA(w, value(before, c, t.Empty), to[c])
		}
		for c, w := range Line(t.Insert, 0, 0, t.C) {
			to[c] = numeric.FMA(w, x[c], to[c])
		}
		if t.Noop != nil {
			for c, w := range Line(t.Noop, 0, 0, t.C) {
				to[c] = numeric.FMA(w, here[c], to[c])
			}
		}
	}
}

// sources returns three rows whose weighted sum a step stores in row r. The weights are
// t.Left for the row before, t.Right for the row after, and t.Insert for the row x. The
// results before and after are nil where they would be beyond an end of the list.
func (t *ListArgs) sources(r int) (before, after, x []float32) {
	if r >= t.P {
		before = Line(t.S, r-t.P, t.Lds, t.C)
	}
	if r < t.D-t.P {
		after = Line(t.S, r+t.P, t.Lds, t.C)
	}
	switch at := t.Head * t.P; {
	case r < at:
		x = after
	case r < at+t.P:
		x = Line(t.V, r-at, t.Ldv, t.C)
	default:
		x = Line(t.S, r, t.Lds, t.C)
	}
	return before, after, x
}

// value returns element c of a row. If the row is nil, it returns the parameter without.
func value(row []float32, c int, without float32) float32 {
	if row == nil {
		return without
	}
	return row[c]
}

func listGradGeneric(t ListArgs, g ListGradArgs) {
	if t.C == 0 {
		return
	}
	if g.Ds != nil {
		listGradState(&t, &g)
	}
	for c := range t.C {
		var sum [3]float32
		for r0 := 0; r0 < t.D; r0 += GemmChunk {
			var part [3]float32
			for r := max(r0, g.Lo); r < min(r0+GemmChunk, g.Hi); r++ {
				dy := *At(g.Dy, r*g.Lddy+c)
				before, after, x := t.sources(r)
				part[0] = numeric.FMA(dy, value(before, c, t.Empty), part[0])
				part[1] = numeric.FMA(dy, value(after, c, t.Empty), part[1])
				part[2] = numeric.FMA(dy, x[c], part[2])
			}
			if r0 == 0 {
				sum = part
				continue
			}
			for i := range sum {
				sum[i] += part[i]
			}
		}
		for i, p := range [3]*float32{g.Left, g.Right, g.Insert} {
			if p != nil {
				*At(p, c) = sum[i]
			}
		}
	}
}

func listGradState(t *ListArgs, g *ListGradArgs) {
	for r := g.Lo; r < g.Hi; r++ {
		to, here := Line(g.Ds, r, g.Ldds, t.C), Line(g.Dy, r, g.Lddy, t.C)
		var before, after []float32
		if r >= t.P {
			before = Line(g.Dy, r-t.P, g.Lddy, t.C)
		}
		if r < t.D-t.P {
			after = Line(g.Dy, r+t.P, g.Lddy, t.C)
		}
		x := before
		if r >= t.Head*t.P+t.P {
			x = here
		}
		for c, w := range Line(t.Right, 0, 0, t.C) {
			to[c] = w * value(before, c, 0)
		}
		for c, w := range Line(t.Left, 0, 0, t.C) {
			to[c] = numeric.FMA(w, value(after, c, 0), to[c])
		}
		for c, w := range Line(t.Insert, 0, 0, t.C) {
			to[c] = numeric.FMA(w, value(x, c, 0), to[c])
		}
		if t.Noop != nil {
			for c, w := range Line(t.Noop, 0, 0, t.C) {
				to[c] = numeric.FMA(w, here[c], to[c])
			}
		}
	}
}

var listGenericTable = listTable{Step: listStepGeneric, Grad: listGradGeneric}
