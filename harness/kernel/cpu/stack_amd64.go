//go:build amd64 && !purego

package cpu

//go:generate sh -c "cd _asm && go run ./stack -out ../stack_amd64.s"

//go:noescape
func stackStepAVX2(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32)

//go:noescape
func stackStepAVX512(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32)

//go:noescape
func stackGradRowsAVX2(a *stackGradArgs)

//go:noescape
func stackGradRowsAVX512(a *stackGradArgs)

// stackBoundedAVX512 is stackGradRows for cells of one row and a chunk that begins
// with the first of several, of which ds is bounded before it is stored.
//
//go:noescape
func stackBoundedAVX512(a *stackGradArgs)

func stackGradAVX2(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, R, p, C, ldds, lddv, lddy, lds, ldv int, empty float32) {
	a := stackGradArgs{dpush: dpush, dpop: dpop, dnoop: dnoop, push: push, pop: pop, noop: noop,
		ldds: ldds, lddy: lddy, lds: lds, ldv: ldv, p: p, C: C, empty: empty}
	for r := 0; a.next(ds, dy, s, v, r, D, R); r += gemmChunk {
		stackGradRowsAVX2(&a)
	}
	if dv != nil {
		mulRowAVX2(dv, dy, push, p, C, lddv, lddy)
	}
}

func stackGradAVX512(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, R, p, C, ldds, lddv, lddy, lds, ldv int, empty float32) {
	a := stackGradArgs{dpush: dpush, dpop: dpop, dnoop: dnoop, push: push, pop: pop, noop: noop,
		ldds: ldds, lddy: lddy, lds: lds, ldv: ldv, p: p, C: C, empty: empty}
	for r := 0; a.next(ds, dy, s, v, r, D, R); r += gemmChunk {
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
			step: stackStepFlat, grad: stackGradDense, transpose: transposeVector,
			scaleCols: mulRowAVX512, rowsBy: rowsByAVX512Any, rowDot: rowDotAVX512Any, bounded: stackBoundedAVX512, sparse: stackGradSparse, zero: flatZero,
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
