package simd

import "pushdown/harness/numeric"

// A vecmat multiplies a row by a matrix of k rows and n columns, whose rows are ldb
// apart, with 1 <= k <= GemmChunk and n >= 1. If add is not 0, it adds the product to
// c. Nothing outside the operands is read or written.
//
//	for j := range n {
//		sum := +0
//		for i := range k {
//			sum = FMA(a[i], b[i*ldb+j], sum)
//		}
//		c[j] = sum // add: c[j] + sum
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
