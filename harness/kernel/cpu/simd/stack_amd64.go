//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./stack -out ../stack_amd64.s"

//go:noescape
func stackStepAVX2(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32)

//go:noescape
func stackStepAVX512(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32)

//go:noescape
func stackGradRowsAVX2(a *StackGradArgs)

//go:noescape
func stackGradRowsAVX512(a *StackGradArgs)

// stackBoundedAVX512 is like stackGradRows, but sets small elements of the gradient ds to 0
// and clips ds before storing it. Cells must have one row, stacks must have several cells,
// and the chunk must begin with the first cell.
//
//go:noescape
func stackBoundedAVX512(a *StackGradArgs)

func stackGradAVX2(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, R, p, C, ldds, lddv, lddy, lds, ldv int, empty float32) {
	a := StackGradArgs{Dpush: dpush, Dpop: dpop, Dnoop: dnoop, Push: push, Pop: pop, Noop: noop,
		Ldds: ldds, Lddy: lddy, Lds: lds, Ldv: ldv, P: p, C: C, Empty: empty}
	for r := 0; a.next(ds, dy, s, v, r, D, R); r += GemmChunk {
		stackGradRowsAVX2(&a)
	}
	if dv != nil {
		mulRowAVX2(dv, dy, push, p, C, lddv, lddy)
	}
}

func stackGradAVX512(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, R, p, C, ldds, lddv, lddy, lds, ldv int, empty float32) {
	a := StackGradArgs{Dpush: dpush, Dpop: dpop, Dnoop: dnoop, Push: push, Pop: pop, Noop: noop,
		Ldds: ldds, Lddy: lddy, Lds: lds, Ldv: ldv, P: p, C: C, Empty: empty}
	for r := 0; a.next(ds, dy, s, v, r, D, R); r += GemmChunk {
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
			Step: stackStepAVX2, Grad: stackGradAVX2, Transpose: transposeVector,
			ScaleCols: mulRowAVX2, RowsBy: rowsByAVX2Any, RowDot: rowDotAVX2Any,
		}
	case AVX512:
		return stackTable{
			Step: stackStepFlat, Grad: stackGradDense, Transpose: transposeVector,
			ScaleCols: mulRowAVX512, RowsBy: rowsByAVX512Any, RowDot: rowDotAVX512Any, Bounded: stackBoundedAVX512, Sparse: stackGradSparse, Zero: flatZero,
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
	if n <= SumBlock {
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
	if n <= SumBlock {
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

// transposeVector transposes a matrix in parts: blocks of 8 by 8, then the strip to the
// right of the blocks (at most four columns at a time), the strip below them (at most
// four rows at a time), and the corner.
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
			transposeNarrow(At(dst, c*ldd), At(x, c), r8, min(4, cols-c), ldd, ldx)
		}
	}
	if c8 > 0 {
		for r := r8; r < rows; r += 4 {
			transposeFlat(At(dst, r), At(x, r*ldx), min(4, rows-r), c8, ldd, ldx)
		}
	}
	if r8 < rows && c8 < cols {
		transposeGeneric(At(dst, c8*ldd+r8), At(x, r8*ldx+c8), rows-r8, cols-c8, ldd, ldx)
	}
}
