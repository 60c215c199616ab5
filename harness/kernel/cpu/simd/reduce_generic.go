package simd

import (
	"unsafe"

	"pushdown/harness/numeric"
)

func colSumGeneric(dst, x *float32, rows, n, ldx int, again bool) {
	var sum, part [64]float32
	for j := 0; j < n; j += len(sum) {
		w := min(n-j, len(sum))
		clear(sum[:])
		if again {
			copy(sum[:w], Line(At(dst, j), 0, 0, w))
		}
		for r0 := 0; r0 < rows; r0 += GemmChunk {
			clear(part[:])
			for r := r0; r < min(r0+GemmChunk, rows); r++ {
				for i, v := range Line(At(x, j), r, ldx, w) {
					part[i] += v
				}
			}
			for i, v := range part[:w] {
				sum[i] += v
			}
		}
		copy(Line(At(dst, j), 0, 0, w), sum[:])
	}
}

func dotLeafGeneric(x, y *float32, n int) float32 {
	var part [64]float32
	b := Line(y, 0, 0, n)
	for i, v := range Line(x, 0, 0, n) {
		part[i%64] += float32(v * b[i])
	}
	return Fold64(&part)
}

func sumSquaresGeneric(x *float32, n int) float32 { return reduceSum(dotLeafGeneric, x, x, n) }

func gatherGeneric(dst, table *float32, ids *int32, rows, n, ldd, ldt int) {
	if n == 0 {
		return
	}
	if n == 1 {
		for i, id := range unsafe.Slice(ids, rows) {
			*At(dst, i*ldd) = *At(table, int(id)*ldt)
		}
		return
	}
	for i, id := range unsafe.Slice(ids, rows) {
		copy(Line(dst, i, ldd, n), Line(table, int(id), ldt, n))
	}
}

func scatterRowsGeneric(dst, x *float32, ids *int32, rows, n, ldd, ldx int) {
	for i, id := range unsafe.Slice(ids, rows) {
		copy(Line(dst, int(id), ldd, n), Line(x, i, ldx, n))
	}
}

func copyRowsGeneric(dst, x *float32, rows, n, ldd, ldx int) {
	if n == ldd && n == ldx {
		rows, n = 1, rows*n
	}
	for r := range rows {
		copy(Line(dst, r, ldd, n), Line(x, r, ldx, n))
	}
}

func addRowGeneric(dst, x, row *float32, rows, n, ldd, ldx int) {
	b := Line(row, 0, 0, n)
	for r := range rows {
		t := Line(dst, r, ldd, n)
		for j, a := range Line(x, r, ldx, n) {
			t[j] = a + b[j]
		}
	}
}

func mulRowGeneric(dst, x, row *float32, rows, n, ldd, ldx int) {
	b := Line(row, 0, 0, n)
	for r := range rows {
		t := Line(dst, r, ldd, n)
		for j, a := range Line(x, r, ldx, n) {
			t[j] = a * b[j]
		}
	}
}

func mixGeneric(dst, w, x *float32, rows, blocks, n, ldd, ldw, ldx int) {
	for r := range rows {
		t, v, factor := Line(dst, r, ldd, n), Line(x, r, ldx, blocks*n), Line(w, r, ldw, blocks)
		for j := range t {
			sum := factor[0] * v[j]
			for b, f := range factor[1:] {
				sum = numeric.FMA(f, v[(b+1)*n+j], sum)
			}
			t[j] = sum
		}
	}
}

func mixGradGeneric(dst, w, dy *float32, rows, blocks, n, ldd, ldw, ldy int) {
	for r := range rows {
		t, v := Line(dst, r, ldd, blocks*n), Line(dy, r, ldy, n)
		for b, f := range Line(w, r, ldw, blocks) {
			for j, y := range v {
				t[b*n+j] = y * f
			}
		}
	}
}

var reduceGenericTable = reduceTable{
	ColSum:      colSumGeneric,
	SumSquares:  sumSquaresGeneric,
	Gather:      gatherGeneric,
	ScatterAdd:  scatterAddGeneric,
	SumRows:     sumRowsGeneric,
	ScatterRows: scatterRowsGeneric,
	CopyRows:    copyRowsGeneric,
	AddRow:      addRowGeneric,
	MulRow:      mulRowGeneric,
	Mix:         mixGeneric,
	MixGrad:     mixGradGeneric,
}
