package cpu

import "pushdown/harness/numeric"

func stackStepGeneric(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32) {
	if C == 0 {
		return
	}
	wUp, wDown := line(push, 0, 0, C), line(pop, 0, 0, C)
	for r := range D {
		t, up := line(dst, r, ldd, C), line(v, 0, 0, 0)
		if r < p {
			up = line(v, r, ldv, C)
		} else {
			up = line(s, r-p, lds, C)
		}
		if r < D-p {
			numeric.ProductsOfTwo(t, wDown, line(s, r+p, lds, C), wUp, up)
		} else {
			for c := range t {
				t[c] = wDown[c] * empty
			}
			numeric.AddProducts(t, wUp, up)
		}
		if noop != nil {
			numeric.AddProducts(t, line(noop, 0, 0, C), line(s, r, lds, C))
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
		w := line(push, 0, 0, C)
		for r := range p {
			t, d := line(dv, r, lddv, C), line(dy, r, lddy, C)
			for c := range t {
				t[c] = w[c] * d[c]
			}
		}
	}
}

func stackGradState(ds, dy, push, pop, noop *float32, D, R, p, C, ldds, lddy int) {
	wUp, wDown := line(push, 0, 0, C), line(pop, 0, 0, C)
	for r := range R {
		t := line(ds, r, ldds, C)
		switch {
		case r >= p && r+p < D:
			numeric.ProductsOfTwo(t, wDown, line(dy, r-p, lddy, C), wUp, line(dy, r+p, lddy, C))
		case r >= p:
			for c, d := range line(dy, r-p, lddy, C) {
				t[c] = wDown[c] * d
			}
		case r+p < D:
			clear(t)
			numeric.AddProducts(t, wUp, line(dy, r+p, lddy, C))
		default:
			clear(t)
		}
		if noop != nil {
			numeric.AddProducts(t, line(noop, 0, 0, C), line(dy, r, lddy, C))
		}
	}
}

func stackGradActions(dpush, dpop, dnoop, dy, s, v *float32, D, R, p, C, lddy, lds, ldv int, empty float32) {
	const block = 64 // columns at a time, whose sums stay in the first cache
	for c0 := 0; c0 < C; c0 += block {
		n := min(block, C-c0)
		var sum [3][block]float32
		for r0 := 0; r0 < R; r0 += gemmChunk {
			var part [3][block]float32
			for r := r0; r < min(r0+gemmChunk, R); r++ {
				d := line(at(dy, c0), r, lddy, n)
				if dpush != nil {
					if r < p {
						numeric.AddProducts(part[0][:n], d, line(at(v, c0), r, ldv, n))
					} else {
						numeric.AddProducts(part[0][:n], d, line(at(s, c0), r-p, lds, n))
					}
				}
				if dpop != nil {
					if r < D-p {
						numeric.AddProducts(part[1][:n], d, line(at(s, c0), r+p, lds, n))
					} else {
						numeric.AddScaled(part[1][:n], d, empty)
					}
				}
				if dnoop != nil {
					numeric.AddProducts(part[2][:n], d, line(at(s, c0), r, lds, n))
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
				copy(line(at(p, c0), 0, 0, n), sum[i][:n])
			}
		}
	}
}

func transposeGeneric(dst, x *float32, rows, cols, ldd, ldx int) {
	switch {
	case rows == 0 || cols == 0:
	case cols == 1 && ldx == 1:
		copy(line(dst, 0, 0, rows), line(x, 0, 0, rows))
	case rows == 1 && ldd == 1:
		copy(line(dst, 0, 0, cols), line(x, 0, 0, cols))
	case cols <= rows:
		for c := range cols {
			from := at(x, c)
			for i := range line(dst, c, ldd, rows) {
				*at(dst, c*ldd+i) = *at(from, i*ldx)
			}
		}
	default:
		for r := range rows {
			to := at(dst, r)
			for i, v := range line(x, r, ldx, cols) {
				*at(to, i*ldd) = v
			}
		}
	}
}

func rowsByGeneric(dst, x, w *float32, rows, n, ldd, ldx int) {
	for r := range rows {
		t, s := line(dst, r, ldd, n), *at(w, r)
		for j, a := range line(x, r, ldx, n) {
			t[j] = a * s
		}
	}
}

func rowDotGeneric(dst, x, y *float32, rows, n, ldx, ldy int) {
	rowDotLong(dotLeafGeneric, dst, x, y, rows, n, ldx, ldy)
}

// rowDotLong is rowDot for rows of any length.
func rowDotLong(f leaf, dst, x, y *float32, rows, n, ldx, ldy int) {
	for r := range rows {
		*at(dst, r) = reduceSum(f, at(x, r*ldx), at(y, r*ldy), n)
	}
}

var stackGenericTable = stackTable{
	step:      stackStepGeneric,
	grad:      stackGradGeneric,
	transpose: transposeGeneric,
	scaleCols: mulRowGeneric,
	rowsBy:    rowsByGeneric,
	rowDot:    rowDotGeneric,
}
