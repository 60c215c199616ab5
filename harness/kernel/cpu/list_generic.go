package cpu

import "pushdown/harness/numeric"

func listStepGeneric(t tape, dst *float32, ldd int) {
	if t.C == 0 {
		return
	}
	for r := range t.D {
		to, here := line(dst, r, ldd, t.C), line(t.s, r, t.lds, t.C)
		before, after, x := t.brought(r)
		for c, w := range line(t.right, 0, 0, t.C) {
			to[c] = w * value(after, c, t.empty)
		}
		for c, w := range line(t.left, 0, 0, t.C) {
			to[c] = numeric.FMA(w, value(before, c, t.empty), to[c])
		}
		for c, w := range line(t.insert, 0, 0, t.C) {
			to[c] = numeric.FMA(w, x[c], to[c])
		}
		if t.noop != nil {
			for c, w := range line(t.noop, 0, 0, t.C) {
				to[c] = numeric.FMA(w, here[c], to[c])
			}
		}
	}
}

// brought is what the three movements bring to row r, nil where it is empty.
func (t *tape) brought(r int) (before, after, x []float32) {
	if r >= t.p {
		before = line(t.s, r-t.p, t.lds, t.C)
	}
	if r < t.D-t.p {
		after = line(t.s, r+t.p, t.lds, t.C)
	}
	switch at := t.head * t.p; {
	case r < at:
		x = after
	case r < at+t.p:
		x = line(t.v, r-at, t.ldv, t.C)
	default:
		x = line(t.s, r, t.lds, t.C)
	}
	return before, after, x
}

// value is element c of a row, or what stands for a row that is not there.
func value(row []float32, c int, without float32) float32 {
	if row == nil {
		return without
	}
	return row[c]
}

func listGradGeneric(t tape, g tapeGrad) {
	if t.C == 0 {
		return
	}
	if g.ds != nil {
		listGradState(&t, &g)
	}
	for c := range t.C {
		var sum [3]float32
		for r0 := 0; r0 < t.D; r0 += gemmChunk {
			var part [3]float32
			for r := max(r0, g.lo); r < min(r0+gemmChunk, g.hi); r++ {
				dy := *at(g.dy, r*g.lddy+c)
				before, after, x := t.brought(r)
				part[0] = numeric.FMA(dy, value(before, c, t.empty), part[0])
				part[1] = numeric.FMA(dy, value(after, c, t.empty), part[1])
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
		for i, p := range [3]*float32{g.left, g.right, g.insert} {
			if p != nil {
				*at(p, c) = sum[i]
			}
		}
	}
}

func listGradState(t *tape, g *tapeGrad) {
	for r := g.lo; r < g.hi; r++ {
		to, here := line(g.ds, r, g.ldds, t.C), line(g.dy, r, g.lddy, t.C)
		var before, after []float32
		if r >= t.p {
			before = line(g.dy, r-t.p, g.lddy, t.C)
		}
		if r < t.D-t.p {
			after = line(g.dy, r+t.p, g.lddy, t.C)
		}
		x := before
		if r >= t.head*t.p+t.p {
			x = here
		}
		for c, w := range line(t.right, 0, 0, t.C) {
			to[c] = w * value(before, c, 0)
		}
		for c, w := range line(t.left, 0, 0, t.C) {
			to[c] = numeric.FMA(w, value(after, c, 0), to[c])
		}
		for c, w := range line(t.insert, 0, 0, t.C) {
			to[c] = numeric.FMA(w, value(x, c, 0), to[c])
		}
		if t.noop != nil {
			for c, w := range line(t.noop, 0, 0, t.C) {
				to[c] = numeric.FMA(w, here[c], to[c])
			}
		}
	}
}

var listGenericTable = listTable{step: listStepGeneric, grad: listGradGeneric}
