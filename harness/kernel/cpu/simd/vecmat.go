package simd

import "pushdown/harness/numeric"

// A vecmat multiplies the row a by the matrix b of k rows and n columns, with
// 1 <= k <= GemmChunk and n >= 1. The rows of b are ldb elements apart. If add is not 0,
// it adds the product to c. Nothing outside the operands is read or written.
//
//	for j := range n {
//		sum := +0
//		for i := range k {
//			sum = FMA(a[i], b[i*ldb+j], sum)
//		}
//		c[j] = sum // if add is not 0: c[j] + sum
//	}
type vecmat = func(c, a, b *float32, k, n, ldb, add int)

func vecmatGeneric(c, a, b *float32, k, n, ldb, add int) {
	for j := range n {
		var sum float32
		for i := range k {
			sum = numeric.FMA(*At(a, i), *At(b, i*ldb+j), sum)
		}
		if add != 0 {
			sum += *At(c, j)
		}
		*At(c, j) = sum
	}
}
