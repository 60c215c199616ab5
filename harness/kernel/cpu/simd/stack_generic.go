package simd

import "pushdown/harness/numeric"

func stackStepGeneric(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32) {
	if C == 0 {
		return
	}
	wUp, wDown := Line(push, 0, 0, C), Line(pop, 0, 0, C)
	for r := range D {
		t, up := Line(dst, r, ldd, C), Line(v, 0, 0, 0)
		if r < p {
			up = Line(v, r, ldv, C)
		} else {
			up = Line(s, r-p, lds, C)
		}
		if r < D-p {
			numeric.SumOfTwoProducts(t, wDown, Line(s, r+p, lds, C), wUp, up)
		} else {
			for c := range t {
				t[c] = wDown[c] * empty
			}
			numeric.AddProducts(t, wUp, up)
		}
		if noop != nil {
			numeric.AddProducts(t, Line(noop, 0, 0, C), Line(s, r, lds, C))
		}
	}
}

func stackGradGeneric(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, R, p, C, ldds, lddv, lddy, lds, ldv int, empty float32) {
	if C == 0 {
		return
	}
	if ds != nil {
		stackGradState(ds, dy, push, pop, noop, D, R, p, C, ldds, lddy)
	}
	if dpush != nil || dpop != nil || dnoop != nil {
		stackGradActions(dpush, dpop, dnoop, dy, s, v, D, R, p, C, lddy, lds, ldv, empty)
	}
	if dv != nil {
		w := Line(push, 0, 0, C)
		for r := range p {
			t, d := Line(dv, r, lddv, C), Line(dy, r, lddy, C)
			for c := range t {
				t[c] = w[c] * d[c]
			}
		}
	}
}

func stackGradState(ds, dy, push, pop, noop *float32, D, R, p, C, ldds, lddy int) {
	wUp, wDown := Line(push, 0, 0, C), Line(pop, 0, 0, C)
	for r := range R {
		t := Line(ds, r, ldds, C)
		switch {
		case r >= p && r+p < D:
			numeric.SumOfTwoProducts(t, wDown, Line(dy, r-p, lddy, C), wUp, Line(dy, r+p, lddy, C))
		case r >= p:
			for c, d := range Line(dy, r-p, lddy, C) {
				t[c] = wDown[c] * d
			}
		case r+p < D:
			clear(t)
			numeric.AddProducts(t, wUp, Line(dy, r+p, lddy, C))
		default:
			clear(t)
		}
		if noop != nil {
			numeric.AddProducts(t, Line(noop, 0, 0, C), Line(dy, r, lddy, C))
		}
	}
}

func stackGradActions(dpush, dpop, dnoop, dy, s, v *float32, D, R, p, C, lddy, lds, ldv int, empty float32) {
	const block = 64 // columns at a time, whose sums stay in the L1 cache
	for c0 := 0; c0 < C; c0 += block {
		n := min(block, C-c0)
		var sum [3][block]float32
		for r0 := 0; r0 < R; r0 += GemmChunk {
			var part [3][block]float32
			for r := r0; r < min(r0+GemmChunk, R); r++ {
				d := Line(At(dy, c0), r, lddy, n)
				if dpush != nil {
					if r < p {
						numeric.AddProducts(part[0][:n], d, Line(At(v, c0), r, ldv, n))
					} else {
						numeric.AddProducts(part[0][:n], d, Line(At(s, c0), r-p, lds, n))
					}
				}
				if dpop != nil {
					if r < D-p {
						numeric.AddProducts(part[1][:n], d, Line(At(s, c0), r+p, lds, n))
					} else {
						numeric.AddScaled(part[1][:n], d, empty)
					}
				}
				if dnoop != nil {
					numeric.AddProducts(part[2][:n], d, Line(At(s, c0), r, lds, n))
				}
			}
			if r0 == 0 {
				sum = part
				continue
			}
			for i := range sum {
				for c := range n {
					sum[i][c] += part[i][c]
				}
			}
		}
		for i, p := range [3]*float32{dpush, dpop, dnoop} {
			if p != nil {
				copy(Line(At(p, c0), 0, 0, n), sum[i][:n])
			}
		}
	}
}

func transposeGeneric(dst, x *float32, rows, cols, ldd, ldx int) {
	switch {
	case rows == 0 || cols == 0:
	case cols == 1 && ldx == 1:
		copy(Line(dst, 0, 0, rows), Line(x, 0, 0, rows))
	case rows == 1 && ldd == 1:
		copy(Line(dst, 0, 0, cols), Line(x, 0, 0, cols))
	case cols <= rows:
		for c := range cols {
			from := At(x, c)
			for i := range Line(dst, c, ldd, rows) {
				*At(dst, c*ldd+i) = *At(from, i*ldx)
			}
		}
	default:
		for r := range rows {
			to := At(dst, r)
			for i, v := range Line(x, r, ldx, cols) {
				*At(to, i*ldd) = v
			}
		}
	}
}

func rowsByGeneric(dst, x, w *float32, rows, n, ldd, ldx int) {
	for r := range rows {
		t, s := Line(dst, r, ldd, n), *At(w, r)
		for j, a := range Line(x, r, ldx, n) {
			t[j] = a * s
		}
	}
}

func rowDotGeneric(dst, x, y *float32, rows, n, ldx, ldy int) {
	rowDotLong(dotLeafGeneric, dst, x, y, rows, n, ldx, ldy)
}

// rowDotLong implements RowDot for rows of any length.
func rowDotLong(f leaf, dst, x, y *float32, rows, n, ldx, ldy int) {
	for r := range rows {
		*At(dst, r) = reduceSum(f, At(x, r*ldx), At(y, r*ldy), n)
	}
}

var stackGenericTable = stackTable{
	Step:      stackStepGeneric,
	Grad:      stackGradGeneric,
	Transpose: transposeGeneric,
	ScaleCols: mulRowGeneric,
	RowsBy:    rowsByGeneric,
	RowDot:    rowDotGeneric,
}
