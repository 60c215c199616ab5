//go:build arm64 && !purego

package simd

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

func reduceFor(isa ISA) reduceTable {
	t := reduceGenericTable
	if isa == NEON {
		t.ColSum, t.AddRow, t.MulRow, t.MixGrad = colSumNEON, addRowNEON, mulRowNEON, mixGradNEON
	}
	return t
}
