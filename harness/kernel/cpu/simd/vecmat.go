package simd

import "pushdown/harness/numeric"

// A vecmat is the product of a row and a matrix, n columns of k rows ldb apart, with
// 1 <= k <= GemmChunk and n >= 1; with add it is added to c. Nothing outside the
// operands is touched.
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
