//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./reduce -out ../reduce_amd64.s"

//go:noescape
func colSumAVX2(dst, x *float32, rows, n, ldx int, again bool)

//go:noescape
func dotLeafAVX2(x, y *float32, n int) float32

//go:noescape
func rowDotAVX2(dst, x, y *float32, rows, n, ldx, ldy int)

//go:noescape
func gatherNumbersAVX2(dst, table *float32, ids *int32, rows int)

//go:noescape
func gatherRowsAVX2(dst, table *float32, ids *int32, rows, n, ldd, ldt int)

//go:noescape
func scatterRowsAVX2(dst, x *float32, ids *int32, rows, n, ldd, ldx int)

//go:noescape
func sumRowsAVX2(dst, x *float32, order *int32, count, n, ldx int)

//go:noescape
func copyRowsAVX2(dst, x *float32, rows, n, ldd, ldx int)

//go:noescape
func addRowAVX2(dst, x, row *float32, rows, n, ldd, ldx int)

//go:noescape
func mulRowAVX2(dst, x, row *float32, rows, n, ldd, ldx int)

//go:noescape
func rowsByAVX2(dst, x, w *float32, rows, n, ldd, ldx int)

//go:noescape
func mixAVX2(dst, w, x *float32, rows, blocks, n, ldd, ldw, ldx int)

//go:noescape
func mixGradAVX2(dst, w, dy *float32, rows, blocks, n, ldd, ldw, ldy int)

//go:noescape
func colSumAVX512(dst, x *float32, rows, n, ldx int, again bool)

//go:noescape
func dotLeafAVX512(x, y *float32, n int) float32

//go:noescape
func rowDotAVX512(dst, x, y *float32, rows, n, ldx, ldy int)

//go:noescape
func gatherNumbersAVX512(dst, table *float32, ids *int32, rows int)

//go:noescape
func gatherRowsAVX512(dst, table *float32, ids *int32, rows, n, ldd, ldt int)

//go:noescape
func scatterRowsAVX512(dst, x *float32, ids *int32, rows, n, ldd, ldx int)

//go:noescape
func sumRowsAVX512(dst, x *float32, order *int32, count, n, ldx int)

//go:noescape
func copyRowsAVX512(dst, x *float32, rows, n, ldd, ldx int)

//go:noescape
func addRowAVX512(dst, x, row *float32, rows, n, ldd, ldx int)

//go:noescape
func mulRowAVX512(dst, x, row *float32, rows, n, ldd, ldx int)

//go:noescape
func rowsByAVX512(dst, x, w *float32, rows, n, ldd, ldx int)

//go:noescape
func mixAVX512(dst, w, x *float32, rows, blocks, n, ldd, ldw, ldx int)

//go:noescape
func mixGradAVX512(dst, w, dy *float32, rows, blocks, n, ldd, ldw, ldy int)

func reduceFor(isa ISA) reduceTable {
	switch isa {
	case AVX2:
		return reduceAVX2Table
	case AVX512:
		return reduceAVX512Table
	}
	return reduceGenericTable
}

var reduceAVX2Table = reduceTable{
	ColSum:     colSumAVX2,
	SumSquares: func(x *float32, n int) float32 { return reduceSum(dotLeafAVX2, x, x, n) },
	Gather: func(dst, table *float32, ids *int32, rows, n, ldd, ldt int) {
		if n == 1 && ldd == 1 && ldt == 1 {
			gatherNumbersAVX2(dst, table, ids, rows)
			return
		}
		gatherRowsAVX2(dst, table, ids, rows, n, ldd, ldt)
	},
	ScatterAdd: func(dst, x *float32, ids *int32, rows, n, vocab, ldd, ldx int, scratch *int32) {
		scatterAdd(sumRowsAVX2, dst, x, ids, rows, n, vocab, ldd, ldx, scratch)
	},
	ScatterRows: scatterRowsAVX2,
	SumRows:     sumRowsAVX2,
	CopyRows:    copyRowsAVX2,
	AddRow:      addRowAVX2Tiled,
	MulRow:      mulRowAVX2,
	Mix:         mixAVX2,
	MixGrad:     mixGradAVX2,
}

var reduceAVX512Table = reduceTable{
	ColSum: func(dst, x *float32, rows, n, ldx int, again bool) {
		if n <= 8 { // half a vector: shorter registers are faster
			colSumAVX2(dst, x, rows, n, ldx, again)
			return
		}
		colSumAVX512(dst, x, rows, n, ldx, again)
	},
	SumSquares: func(x *float32, n int) float32 { return reduceSum(dotLeafAVX512, x, x, n) },
	Gather: func(dst, table *float32, ids *int32, rows, n, ldd, ldt int) {
		if n == 1 && ldd == 1 && ldt == 1 {
			gatherNumbersAVX512(dst, table, ids, rows)
			return
		}
		gatherRowsAVX512(dst, table, ids, rows, n, ldd, ldt)
	},
	ScatterAdd: func(dst, x *float32, ids *int32, rows, n, vocab, ldd, ldx int, scratch *int32) {
		scatterAdd(sumRowsAVX512, dst, x, ids, rows, n, vocab, ldd, ldx, scratch)
	},
	ScatterRows: scatterRowsAVX512,
	SumRows:     sumRowsAVX512,
	CopyRows:    copyRowsAVX512,
	AddRow:      addRowAVX512Tiled,
	MulRow:      mulRowAVX512,
	Mix:         mixAVX512,
	MixGrad:     mixGradAVX512,
}

// A rowTile holds repeated copies of a short row. With it, a routine adds the row to a
// matrix of short rows as if several rows of the matrix were one longer row.
type rowTile [240]float32

// tileable reports whether a rowTile can be used for a matrix of short rows: the matrix has
// no gaps and is large enough.
func tileable(rows, n, ldd, ldx int) bool {
	return 0 < n && n < 16 && ldd == n && ldx == n && rows*n >= 256
}

// fill stores copies of the row, m elements in all, where m is a multiple of n and of the
// length of a vector. It returns m, and the number of elements of the matrix that lie in
// whole blocks of m elements.
func (t *rowTile) fill(row *float32, rows, n int) (m, covered int) {
	m = 16 * n * max(1, 8/n)
	copy(t[:n], Line(row, 0, 0, n))
	for i := n; i < m; i *= 2 {
		copy(t[i:m], t[:i])
	}
	return m, rows * n / m * m
}

func addRowAVX2Tiled(dst, x, row *float32, rows, n, ldd, ldx int) {
	if !tileable(rows, n, ldd, ldx) {
		addRowAVX2(dst, x, row, rows, n, ldd, ldx)
		return
	}
	var t rowTile
	m, covered := t.fill(row, rows, n)
	addRowAVX2(dst, x, &t[0], covered/m, m, m, m)
	if rest := rows*n - covered; rest > 0 {
		addRowAVX2(At(dst, covered), At(x, covered), &t[0], 1, rest, 0, 0)
	}
}

func addRowAVX512Tiled(dst, x, row *float32, rows, n, ldd, ldx int) {
	if !tileable(rows, n, ldd, ldx) {
		addRowAVX512(dst, x, row, rows, n, ldd, ldx)
		return
	}
	var t rowTile
	m, covered := t.fill(row, rows, n)
	addRowAVX512(dst, x, &t[0], covered/m, m, m, m)
	if rest := rows*n - covered; rest > 0 {
		addRowAVX512(At(dst, covered), At(x, covered), &t[0], 1, rest, 0, 0)
	}
}
