package cpu

import "pushdown/harness/numeric"

func stackStepGeneric(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32) {
	if C == 0 {
		return
	}
	wUp, wDown := line(push, 0, 0, C), line(pop, 0, 0, C)
	for r := range D {
		t := line(dst, r, ldd, C)
		if r < D-p {
			for c, down := range line(s, r+p, lds, C) {
				t[c] = wDown[c] * down
			}
		} else {
			for c := range t {
				t[c] = wDown[c] * empty
			}
		}
		up := line(v, 0, 0, 0)
		if r < p {
			up = line(v, r, ldv, C)
		} else {
			up = line(s, r-p, lds, C)
		}
		for c, w := range wUp {
			t[c] = numeric.FMA(w, up[c], t[c])
		}
		if noop != nil {
			here := line(s, r, lds, C)
			for c, w := range line(noop, 0, 0, C) {
				t[c] = numeric.FMA(w, here[c], t[c])
			}
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
		if r < p {
			clear(t)
		} else {
			for c, d := range line(dy, r-p, lddy, C) {
				t[c] = wDown[c] * d
			}
		}
		if r+p < D {
			for c, d := range line(dy, r+p, lddy, C) {
				t[c] = numeric.FMA(wUp[c], d, t[c])
			}
		}
		if noop != nil {
			d := line(dy, r, lddy, C)
			for c, w := range line(noop, 0, 0, C) {
				t[c] = numeric.FMA(w, d[c], t[c])
			}
		}
	}
}

func stackGradActions(dpush, dpop, dnoop, dy, s, v *float32, D, R, p, C, lddy, lds, ldv int, empty float32) {
	for c := range C {
		var sum [3]float32
		for r0 := 0; r0 < R; r0 += gemmChunk {
			var part [3]float32
			for r := r0; r < min(r0+gemmChunk, R); r++ {
				d := *at(dy, r*lddy+c)
				down := empty
				if r < D-p {
					down = *at(s, (r+p)*lds+c)
				}
				up := v
				if r < p {
					up = at(v, r*ldv+c)
				} else {
					up = at(s, (r-p)*lds+c)
				}
				part[0] = numeric.FMA(d, *up, part[0])
				part[1] = numeric.FMA(d, down, part[1])
				part[2] = numeric.FMA(d, *at(s, r*lds+c), part[2])
			}
			if r0 == 0 {
				sum = part
				continue
			}
			for i := range sum {
				sum[i] += part[i]
			}
		}
		for i, p := range [3]*float32{dpush, dpop, dnoop} {
			if p != nil {
				*at(p, c) = sum[i]
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
