package simd

import (
	"unsafe"

	"pushdown/harness/numeric"
)

// gemmGeneric defines the result of a product. It computes products if there is no
// assembly.
func gemmGeneric(a *GemmArgs) {
	aRow, aCol := steps(a.Lda, a.TA)
	bRow, bCol := steps(a.Ldb, a.TB)
	b := a.B
	if a.Packed != nil { // without assembly, packing copies B column by column
		b, bRow, bCol = a.Packed, 1, a.K
	}
	// The slices have the exact extents, so access outside a matrix panics.
	x := extent(a.A, a.M, a.K, aRow, aCol)
	y := extent(b, a.K, a.N, bRow, bCol)
	z := extent(a.C, a.M, a.N, a.Ldc, 1)
	if bCol == 1 && a.K <= GemmChunk && !a.Continue && !a.Acc {
		// Go through B row by row, since the elements of a row are adjacent.
		for i := range a.M {
			c := z[i*a.Ldc:][:a.N]
			clear(c)
			for k := range a.K {
				numeric.AddScaled(c, y[k*bRow:], x[i*aRow+k*aCol])
			}
		}
		return
	}
	for i := range a.M {
		for j := range a.N {
			c := &z[i*a.Ldc+j]
			switch xi, yi := i*aRow, j*bCol; {
			case a.Continue:
				*c = gemmAgain(*c, x, y, xi, aCol, yi, bRow, a.K)
			case a.Acc:
				*c += gemmSum(x, y, xi, aCol, yi, bRow, a.K)
			default:
				*c = gemmSum(x, y, xi, aCol, yi, bRow, a.K)
			}
		}
	}
}

// gemmSum returns the sum of n products x[xi]*y[yi], where xi and yi advance by xStep
// and yStep. It sums each chunk from +0, with one rounding per product, and then adds
// the sums of the chunks.
func gemmSum(x, y []float32, xi, xStep, yi, yStep, n int) float32 {
	first := min(n, GemmChunk)
	sum := chunkSum(x, y, xi, xStep, yi, yStep, first)
	return gemmAgain(sum, x, y, xi+first*xStep, xStep, yi+first*yStep, yStep, n-first)
}

// gemmAgain is like gemmSum, but starts from the given sum and adds the sums of the
// chunks to it.
func gemmAgain(sum float32, x, y []float32, xi, xStep, yi, yStep, n int) float32 {
	for n > 0 {
		size := min(n, GemmChunk)
		sum += chunkSum(x, y, xi, xStep, yi, yStep, size)
		xi, yi, n = xi+size*xStep, yi+size*yStep, n-size
	}
	return sum
}

func chunkSum(x, y []float32, xi, xStep, yi, yStep, n int) float32 {
	if n == 0 {
		return 0
	}
	return numeric.Dot(x[xi:], y[yi:], xStep, yStep, n)
}

// extent returns the memory from the first to the last element of a matrix.
func extent(p *float32, rows, cols, rowStep, colStep int) []float32 {
	if rows == 0 || cols == 0 {
		return nil
	}
	return unsafe.Slice(p, (rows-1)*rowStep+(cols-1)*colStep+1)
}
