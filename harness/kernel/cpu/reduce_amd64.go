//go:build amd64 && !purego

package cpu

//go:noescape
func colSumAVX2(dst, x *float32, rows, n, ldx int)

//go:noescape
func sumLeafAVX2(x, y *float32, n int) float32

//go:noescape
func dotLeafAVX2(x, y *float32, n int) float32

//go:noescape
func rowDotAVX2(dst, x, y *float32, rows, n, ldx, ldy int)

//go:noescape
func gatherNumbersAVX2(dst, table *float32, ids *int32, rows int)

//go:noescape
func gatherRowsAVX2(dst, table *float32, ids *int32, rows, n, ldd, ldt int)

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
func colSumAVX512(dst, x *float32, rows, n, ldx int)

//go:noescape
func sumLeafAVX512(x, y *float32, n int) float32

//go:noescape
func dotLeafAVX512(x, y *float32, n int) float32

//go:noescape
func rowDotAVX512(dst, x, y *float32, rows, n, ldx, ldy int)

//go:noescape
func gatherNumbersAVX512(dst, table *float32, ids *int32, rows int)

//go:noescape
func gatherRowsAVX512(dst, table *float32, ids *int32, rows, n, ldd, ldt int)

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
	colSum:     colSumAVX2,
	sum:        func(x *float32, n int) float32 { return reduceSum(sumLeafAVX2, x, x, n) },
	sumSquares: func(x *float32, n int) float32 { return reduceSum(dotLeafAVX2, x, x, n) },
	gather: func(dst, table *float32, ids *int32, rows, n, ldd, ldt int) {
		if n == 1 && ldd == 1 && ldt == 1 {
			gatherNumbersAVX2(dst, table, ids, rows)
			return
		}
		gatherRowsAVX2(dst, table, ids, rows, n, ldd, ldt)
	},
	scatterAdd: func(dst, x *float32, ids *int32, rows, n, vocab, ldd, ldx int, scratch *int32) {
		scatterAdd(sumRowsAVX2, dst, x, ids, rows, n, vocab, ldd, ldx, scratch)
	},
	copyRows: copyRowsAVX2,
	addRow:   addRowAVX2,
	mulRow:   mulRowAVX2,
}

var reduceAVX512Table = reduceTable{
	colSum: func(dst, x *float32, rows, n, ldx int) {
		if n <= 8 { // half a vector: the short registers are quicker
			colSumAVX2(dst, x, rows, n, ldx)
			return
		}
		colSumAVX512(dst, x, rows, n, ldx)
	},
	sum:        func(x *float32, n int) float32 { return reduceSum(sumLeafAVX512, x, x, n) },
	sumSquares: func(x *float32, n int) float32 { return reduceSum(dotLeafAVX512, x, x, n) },
	gather: func(dst, table *float32, ids *int32, rows, n, ldd, ldt int) {
		if n == 1 && ldd == 1 && ldt == 1 {
			gatherNumbersAVX512(dst, table, ids, rows)
			return
		}
		gatherRowsAVX512(dst, table, ids, rows, n, ldd, ldt)
	},
	scatterAdd: func(dst, x *float32, ids *int32, rows, n, vocab, ldd, ldx int, scratch *int32) {
		scatterAdd(sumRowsAVX512, dst, x, ids, rows, n, vocab, ldd, ldx, scratch)
	},
	copyRows: copyRowsAVX512,
	addRow:   addRowAVX512,
	mulRow:   mulRowAVX512,
}
