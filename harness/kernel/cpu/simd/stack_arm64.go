//go:build arm64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./arm64/stack -out ../stack_arm64.s"

// stackRun holds the arguments of stackRowsNEON, which computes adjacent rows of stacks:
//
//	for r, c := range rows x cols {
//		t := x != nil ? a[c] * x[r][c] : a != nil ? a[c] * empty : +0
//		t = FMA(b[c], y[r][c], t) // unless y is nil
//		t = FMA(w[c], z[r][c], t) // unless z is nil
//		dst[r][c] = t
//	}
//
// The fields whose names begin with ld are distances between rows, in bytes.
// stack_arm64.s depends on the order of the fields.
type stackRun struct {
	dst, x, y, z       *float32
	a, b, w            *float32
	ldd, ldx, ldy, ldz int
	rows, cols         int
	empty              float32
}

//go:noescape
func stackRowsNEON(a *stackRun)

// columnSumsNEON adds rows to a vector, one after the other. The distance between rows is in
// elements.
//
//	sum[c] = sum[c] + x[r][c]
//
//go:noescape
func columnSumsNEON(sum, x *float32, rows, cols, ldx int)

// columnProductsNEON adds products of rows to a vector.
//
//	sum[c] = FMA(x[r][c], y[r][c], sum[c])
//
//go:noescape
func columnProductsNEON(sum, x, y *float32, rows, cols, ldx, ldy int)

// columnDotsNEON is like columnProductsNEON, but rounds each product before it adds it.
//
//	sum[c] = sum[c] + float32(x[r][c] * y[r][c])
//
//go:noescape
func columnDotsNEON(sum, x, y *float32, rows, cols, ldx, ldy int)

// stackRunEnd returns the end of the run of rows that starts at row r: all of them have a
// cell above them or none has, and all of them have a cell below them or none has.
func stackRunEnd(r, D, p int) int {
	end := D
	if r < D-p {
		end = D - p
	}
	if r < p {
		end = min(end, p)
	}
	return end
}

func stackStepNEON(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32) {
	a := stackRun{a: pop, b: push, w: noop, ldd: 4 * ldd, ldx: 4 * lds, ldz: 4 * lds, cols: C, empty: empty}
	for r := 0; r < D; r += a.rows {
		a.rows = stackRunEnd(r, D, p) - r
		a.dst, a.x, a.z = At(dst, r*ldd), nil, nil
		if r < p {
			a.y, a.ldy = At(v, r*ldv), 4*ldv
		} else {
			a.y, a.ldy = At(s, (r-p)*lds), 4*lds
		}
		if r < D-p {
			a.x = At(s, (r+p)*lds)
		}
		if noop != nil {
			a.z = At(s, r*lds)
		}
		stackRowsNEON(&a)
	}
}

func stackGradNEON(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, R, p, C, ldds, lddv, lddy, lds, ldv int, empty float32) {
	if ds != nil {
		stackGradStateNEON(ds, dy, push, pop, noop, D, R, p, C, ldds, lddy)
	}
	if dpush != nil || dpop != nil || dnoop != nil {
		g := stackSums{dy: dy, s: s, v: v, D: D, R: R, p: p, lddy: lddy, lds: lds, ldv: ldv}
		vecFillNEON(&g.below[0], empty, min(C, stackBlock))
		for c := 0; c < C; c += stackBlock {
			n := min(stackBlock, C-c)
			g.sum(dpush, c, n, -p)
			g.sum(dpop, c, n, p)
			g.sum(dnoop, c, n, 0)
		}
	}
	if dv != nil {
		mulRowNEON(dv, dy, push, p, C, lddv, lddy)
	}
}

// stackGradStateNEON computes ds, the gradient of the stacks before the step.
func stackGradStateNEON(ds, dy, push, pop, noop *float32, D, R, p, C, ldds, lddy int) {
	a := stackRun{b: push, w: noop, ldd: 4 * ldds, ldx: 4 * lddy, ldy: 4 * lddy, ldz: 4 * lddy, cols: C}
	for r := 0; r < R; r += a.rows {
		a.rows = min(stackRunEnd(r, D, p), R) - r
		a.dst, a.x, a.a, a.y, a.z = At(ds, r*ldds), nil, nil, nil, nil
		if r >= p {
			a.x, a.a = At(dy, (r-p)*lddy), pop
		}
		if r+p < D {
			a.y = At(dy, (r+p)*lddy)
		}
		if noop != nil {
			a.z = At(dy, r*lddy)
		}
		stackRowsNEON(&a)
	}
}

// stackBlock is the number of columns whose sums stackSums computes at a time.
const stackBlock = 256

// stackSums holds the operands of the gradients of the actions.
type stackSums struct {
	dy, s, v                *float32
	D, R, p, lddy, lds, ldv int
	below, part             [stackBlock]float32 // the value below the last cell; sums of a chunk
}

// sum computes n elements of the gradient of an action, from element c on. The parameter
// from is the distance, in rows, from a row of the new stack to the row of the old stack
// that the action moves there. If dst is nil, sum does nothing.
func (g *stackSums) sum(dst *float32, c, n, from int) {
	if dst == nil {
		return
	}
	to := At(dst, c)
	for r0 := 0; r0 < g.R; r0 += GemmChunk {
		end := min(r0+GemmChunk, g.R)
		if r0 > 0 {
			to = &g.part[0]
		}
		vecFillNEON(to, 0, n)
		for r := r0; r < end; {
			next := min(stackRunEnd(r, g.D, g.p), end)
			x, ldx := At(g.s, (r+from)*g.lds+c), g.lds
			switch {
			case r+from < 0:
				x, ldx = At(g.v, r*g.ldv+c), g.ldv
			case r+from >= g.D:
				x, ldx = &g.below[0], 0
			}
			columnProductsNEON(to, At(g.dy, r*g.lddy+c), x, next-r, n, g.lddy, ldx)
			r = next
		}
		if r0 > 0 {
			vecAddNEON(At(dst, c), At(dst, c), to, n)
		}
	}
}

func rowsByNEON(dst, x, w *float32, rows, n, ldd, ldx int) {
	if n == 1 && ldd == 1 && ldx == 1 { // one vector times another
		vecMulNEON(dst, x, w, rows)
		return
	}
	for r := range rows {
		vecScaleNEON(At(dst, r*ldd), At(x, r*ldx), *At(w, r), n)
	}
}

func rowDotNEON(dst, x, y *float32, rows, n, ldx, ldy int) {
	rowDotLong(dotLeafNEON, dst, x, y, rows, n, ldx, ldy)
}

func stackFor(isa ISA) stackTable {
	t := stackGenericTable
	if isa == NEON {
		t.Step, t.Grad, t.ScaleCols, t.RowsBy, t.RowDot = stackStepNEON, stackGradNEON, mulRowNEON, rowsByNEON, rowDotNEON
	}
	return t
}
