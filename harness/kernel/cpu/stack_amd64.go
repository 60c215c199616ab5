//go:build amd64 && !purego

package cpu

//go:generate sh -c "cd _asm && go run ./stack -out ../stack_amd64.s"

//go:noescape
func stackStepAVX2(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32)

//go:noescape
func stackStepAVX512(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32)

// stackGradArgs is what stackGradRows reads, for at most a chunk of rows. The
// pointers are those of the first row in hand; dy and s, unless that row is in
// the first cell, are those of the row a cell above it.
type stackGradArgs struct {
	ds                         *float32 // nil: not wanted
	dpush, dpop, dnoop         *float32 // nil: not wanted
	dy, s, v, push, pop, noop  *float32
	ldds, lddy, lds, ldv, p, C int // row distances in elements
	first, inner, last, single int // rows in the first cell, between, in the last; in the only one
	sums                       int // 1: one of dpush, dpop and dnoop is wanted
	add                        int // 1: their sums are added to what they hold
	empty                      float32
}

//go:noescape
func stackGradRowsAVX2(a *stackGradArgs)

//go:noescape
func stackGradRowsAVX512(a *stackGradArgs)

// next sets a up for the chunk of rows from r on and reports whether there is
// work. ds, dy, s and v are those of row 0 of the D rows.
func (a *stackGradArgs) next(ds, dy, s, v *float32, r, D int) bool {
	if a.dpush != nil || a.dpop != nil || a.dnoop != nil {
		a.sums = 1
	}
	if r >= D || ds == nil && a.sums == 0 {
		return false
	}
	end := min(r+gemmChunk, D)
	p := a.p
	from := r // of dy and s
	if r >= p {
		from = r - p
	}
	a.dy, a.s = at(dy, from*a.lddy), at(s, from*a.lds)
	if ds != nil {
		a.ds = at(ds, r*a.ldds)
	} else {
		a.ldds = 0 // each row to the one place kept for what nobody wants
	}
	if r < p {
		a.v = at(v, r*a.ldv)
	}
	within := func(lo, hi int) int { return max(0, min(end, hi)-max(r, lo)) }
	if D == p {
		a.single = within(0, p)
	} else {
		a.first, a.inner, a.last = within(0, p), within(p, D-p), within(D-p, D)
	}
	if r > 0 {
		a.add = 1
	}
	return true
}

func stackGradAVX2(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, p, C, ldds, lddv, lddy, lds, ldv int, empty float32) {
	a := stackGradArgs{dpush: dpush, dpop: dpop, dnoop: dnoop, push: push, pop: pop, noop: noop,
		ldds: ldds, lddy: lddy, lds: lds, ldv: ldv, p: p, C: C, empty: empty}
	for r := 0; a.next(ds, dy, s, v, r, D); r += gemmChunk {
		stackGradRowsAVX2(&a)
	}
	if dv != nil {
		mulRowAVX2(dv, dy, push, p, C, lddv, lddy)
	}
}

func stackGradAVX512(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, p, C, ldds, lddv, lddy, lds, ldv int, empty float32) {
	a := stackGradArgs{dpush: dpush, dpop: dpop, dnoop: dnoop, push: push, pop: pop, noop: noop,
		ldds: ldds, lddy: lddy, lds: lds, ldv: ldv, p: p, C: C, empty: empty}
	for r := 0; a.next(ds, dy, s, v, r, D); r += gemmChunk {
		stackGradRowsAVX512(&a)
	}
	if dv != nil {
		mulRowAVX512(dv, dy, push, p, C, lddv, lddy)
	}
}

func stackFor(isa ISA) stackTable {
	switch isa {
	case AVX2:
		return stackTable{
			step: stackStepAVX2, grad: stackGradAVX2, transpose: transposeVector,
			scaleCols: mulRowAVX2, rowsBy: rowsByAVX2Any, rowDot: rowDotAVX2Any,
		}
	case AVX512:
		return stackTable{
			step: stackStepAVX512, grad: stackGradAVX512, transpose: transposeVector,
			scaleCols: mulRowAVX512, rowsBy: rowsByAVX512Any, rowDot: rowDotAVX512Any,
		}
	}
	return stackGenericTable
}

func rowsByAVX2Any(dst, x, w *float32, rows, n, ldd, ldx int) {
	if n == 1 && ldd == 1 && ldx == 1 { // one vector times another
		mulRowAVX2(dst, x, w, 1, rows, rows, rows)
		return
	}
	rowsByAVX2(dst, x, w, rows, n, ldd, ldx)
}

func rowDotAVX2Any(dst, x, y *float32, rows, n, ldx, ldy int) {
	if n <= sumBlock {
		rowDotAVX2(dst, x, y, rows, n, ldx, ldy)
		return
	}
	rowDotLong(dotLeafAVX2, dst, x, y, rows, n, ldx, ldy)
}

func rowsByAVX512Any(dst, x, w *float32, rows, n, ldd, ldx int) {
	if n == 1 && ldd == 1 && ldx == 1 { // one vector times another
		mulRowAVX512(dst, x, w, 1, rows, rows, rows)
		return
	}
	rowsByAVX512(dst, x, w, rows, n, ldd, ldx)
}

func rowDotAVX512Any(dst, x, y *float32, rows, n, ldx, ldy int) {
	if n <= sumBlock {
		rowDotAVX512(dst, x, y, rows, n, ldx, ldy)
		return
	}
	rowDotLong(dotLeafAVX512, dst, x, y, rows, n, ldx, ldy)
}

//go:noescape
func transposeBlocks(dst, x *float32, rows, cols, ldd, ldx int)

//go:noescape
func transposeNarrow(dst, x *float32, rows, cols, ldd, ldx int)

//go:noescape
func transposeFlat(dst, x *float32, rows, cols, ldd, ldx int)

// transposeVector cuts the matrix up: blocks of 8 by 8; the strip on their
// right, at most four columns at a time; the strip below, at most four rows at
// a time; and the corner.
func transposeVector(dst, x *float32, rows, cols, ldd, ldx int) {
	if rows == 1 || cols == 1 && ldx == 1 {
		transposeGeneric(dst, x, rows, cols, ldd, ldx)
		return
	}
	r8, c8 := rows&^7, cols&^7
	if r8 > 0 && c8 > 0 {
		transposeBlocks(dst, x, r8, c8, ldd, ldx)
	}
	if r8 > 0 {
		for c := c8; c < cols; c += 4 {
			transposeNarrow(at(dst, c*ldd), at(x, c), r8, min(4, cols-c), ldd, ldx)
		}
	}
	if c8 > 0 {
		for r := r8; r < rows; r += 4 {
			transposeFlat(at(dst, r), at(x, r*ldx), min(4, rows-r), c8, ldd, ldx)
		}
	}
	if r8 < rows && c8 < cols {
		transposeGeneric(at(dst, c8*ldd+r8), at(x, r8*ldx+c8), rows-r8, cols-c8, ldd, ldx)
	}
}
