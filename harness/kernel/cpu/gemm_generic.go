package cpu

import (
	"unsafe"

	"pushdown/harness/numeric"
)

// gemmGeneric is the meaning of a product, and the way it is computed where
// there is no assembly.
func gemmGeneric(a *gemmArgs) {
	aRow, aCol := steps(a.Lda, a.TA)
	bRow, bCol := steps(a.Ldb, a.TB)
	b := a.B
	if a.Packed != nil { // for this instruction set a plain copy, column after column
		b, bRow, bCol = a.Packed, 1, a.K
	}
	// Slices of the exact extents: reaching outside a matrix panics.
	x := extent(a.A, a.M, a.K, aRow, aCol)
	y := extent(b, a.K, a.N, bRow, bCol)
	z := extent(a.C, a.M, a.N, a.Ldc, 1)
	for i := range a.M {
		for j := range a.N {
			sum := gemmSum(x, y, i*aRow, aCol, j*bCol, bRow, a.K)
			if a.Acc {
				sum = z[i*a.Ldc+j] + sum
			}
			z[i*a.Ldc+j] = sum
		}
	}
}

// gemmSum adds the products x[xi]*y[yi] of n pairs: chunk by chunk, each from
// +0 with one rounding per pair.
func gemmSum(x, y []float32, xi, xStep, yi, yStep, n int) float32 {
	var sum float32
	for k0 := 0; k0 < n; k0 += gemmChunk {
		var acc float32
		for range min(gemmChunk, n-k0) {
			acc = numeric.FMA(x[xi], y[yi], acc)
			xi, yi = xi+xStep, yi+yStep
		}
		if k0 == 0 {
			sum = acc
		} else {
			sum += acc
		}
	}
	return sum
}

// extent is the memory from the first to the last element of a matrix.
func extent(p *float32, rows, cols, rowStep, colStep int) []float32 {
	if rows == 0 || cols == 0 {
		return nil
	}
	return unsafe.Slice(p, (rows-1)*rowStep+(cols-1)*colStep+1)
}
