package simd

import "pushdown/harness/numeric"

// A vecmat multiplies the row a by the matrix b of k rows and n columns, with
// 1 <= k <= GemmChunk and n >= 1. The rows of b are ldb elements apart. If add is not nil,
// it adds the product to the row add, which may be c. Nothing outside the operands is read or written.
//
//	for j := range n {
//		sum := +0
//		for i := range k {
//			sum = FMA(a[i], b[i*ldb+j], sum)
//		}
//		c[j] = sum // if add is not nil: add[j] + sum
//	}
type vecmat = func(c, a, b *float32, k, n, ldb int, add *float32)

func vecmatGeneric(c, a, b *float32, k, n, ldb int, add *float32) {
	for j := range n {
		var sum float32
		for i := range k {
			sum = numeric.FMA(*At(a, i), *At(b, i*ldb+j), sum)
		}
		if add != nil {
			sum += *At(add, j)
		}
		*At(c, j) = sum
	}
}
