//go:build arm64 && !purego

package simd

import "unsafe"

//go:generate sh -c "cd _asm && go run ./arm64/reduce -out ../reduce_arm64.s"

// gatherNumbersNEON computes dst[i] = table[ids[i]].
//
//go:noescape
func gatherNumbersNEON(dst, table *float32, ids *int32, rows int)

func gatherNEON(dst, table *float32, ids *int32, rows, n, ldd, ldt int) {
	if n == 1 && ldd == 1 && ldt == 1 {
		gatherNumbersNEON(dst, table, ids, rows)
		return
	}
	gatherGeneric(dst, table, ids, rows, n, ldd, ldt)
}

// copyRowsNEON copies short rows by a kernel, since calling copy takes longer.
func copyRowsNEON(dst, x *float32, rows, n, ldd, ldx int) {
	if n > 16 || n == ldd && n == ldx {
		copyRowsGeneric(dst, x, rows, n, ldd, ldx)
		return
	}
	copyNarrowNEON(dst, x, rows, n, ldd, ldx)
}

// copyNarrowNEON is like CopyRows, for rows of at most 16 elements.
//
//go:noescape
func copyNarrowNEON(dst, x *float32, rows, n, ldd, ldx int)

func addRowNEON(dst, x, row *float32, rows, n, ldd, ldx int) {
	for r := range rows {
		vecAddNEON(At(dst, r*ldd), At(x, r*ldx), row, n)
	}
}

func mulRowNEON(dst, x, row *float32, rows, n, ldd, ldx int) {
	for r := range rows {
		vecMulNEON(At(dst, r*ldd), At(x, r*ldx), row, n)
	}
}

func mixGradNEON(dst, w, dy *float32, rows, blocks, n, ldd, ldw, ldy int) {
	for r := range rows {
		for b := range blocks {
			vecScaleNEON(At(dst, r*ldd+b*n), At(dy, r*ldy), *At(w, r*ldw+b), n)
		}
	}
}

func colSumNEON(dst, x *float32, rows, n, ldx int, again bool) {
	const block = 256 // columns at a time
	var part [block]float32
	if rows == 0 && !again {
		vecFillNEON(dst, 0, n)
	}
	for j := 0; j < n; j += block {
		w := min(n-j, block)
		for r := 0; r < rows; r += GemmChunk {
			to, add := At(dst, j), again || r > 0
			if add {
				to = &part[0]
			}
			vecFillNEON(to, 0, w)
			columnSumsNEON(to, At(x, r*ldx+j), min(GemmChunk, rows-r), w, ldx)
			if add {
				vecAddNEON(At(dst, j), At(dst, j), to, w)
			}
		}
	}
}

// stridedSums holds the 64 partial sums of a sum along a row.
type stridedSums [64]float32

// fold returns the total of the partial sums of n elements, like rowFold.
func (p *stridedSums) fold(n int) float32 {
	half := len(p) / 2
	for half >= n && half > 2 {
		half /= 2
	}
	for ; half > 2; half /= 2 {
		vecAddNEON(&p[0], &p[0], &p[half], half)
	}
	return (p[0] + p[2]) + (p[1] + p[3])
}

// dotLeafNEON and sumLeafNEON go through a row as through a matrix of 64 columns.
func dotLeafNEON(x, y *float32, n int) float32 {
	var p stridedSums
	whole := n / len(p)
	if whole > 0 {
		columnDotsNEON(&p[0], x, y, whole, len(p), len(p), len(p))
	}
	if from := whole * len(p); from < n {
		columnDotsNEON(&p[0], At(x, from), At(y, from), 1, n-from, 0, 0)
	}
	return p.fold(n)
}

func sumLeafNEON(x *float32, n int) float32 {
	var p stridedSums
	whole := n / len(p)
	if whole > 0 {
		columnSumsNEON(&p[0], x, whole, len(p), len(p))
	}
	if from := whole * len(p); from < n {
		columnSumsNEON(&p[0], At(x, from), 1, n-from, 0)
	}
	return p.fold(n)
}

func sumSquaresNEON(x *float32, n int) float32 { return reduceSum(dotLeafNEON, x, x, n) }

// sumRowsNEON is like sumRowsGeneric.
func sumRowsNEON(dst, x *float32, order *int32, count, n, ldx int) {
	const block = 256 // columns at a time
	rows := unsafe.Slice(order, count)
	var part [block]float32
	for j := 0; j < n; j += block {
		w := min(n-j, block)
		to := At(dst, j)
		vecFillNEON(to, 0, w)
		for i, r := range rows {
			if i > 0 && r/GemmChunk != rows[i-1]/GemmChunk {
				if to == &part[0] {
					vecAddNEON(At(dst, j), At(dst, j), to, w)
				}
				to = &part[0]
				vecFillNEON(to, 0, w)
			}
			vecAddNEON(to, to, At(x, int(r)*ldx+j), w)
		}
		if to == &part[0] {
			vecAddNEON(At(dst, j), At(dst, j), to, w)
		}
	}
}

func scatterAddNEON(dst, x *float32, ids *int32, rows, n, vocab, ldd, ldx int, scratch *int32) {
	scatterAdd(sumRowsNEON, dst, x, ids, rows, n, vocab, ldd, ldx, scratch)
}

func reduceFor(isa ISA) reduceTable {
	t := reduceGenericTable
	if isa == NEON {
		t.ColSum, t.AddRow, t.MulRow, t.MixGrad = colSumNEON, addRowNEON, mulRowNEON, mixGradNEON
		t.Gather, t.CopyRows = gatherNEON, copyRowsNEON
		t.SumSquares, t.SumRows, t.ScatterAdd = sumSquaresNEON, sumRowsNEON, scatterAddNEON
	}
	return t
}
