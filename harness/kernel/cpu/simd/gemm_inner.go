package simd

// The inner product of two vectors, the gradient of a weight over all rows, is
// one running sum after the other for tiles of C. Here the chunks run side by
// side, each in a lane of its own.

// innerBlock is the number of chunks that innerBlocks takes at a time.
const innerBlock = 16

// isInner tells whether a is the product of two vectors without gaps that is
// long enough for innerBlocks.
func (a *GemmArgs) isInner() bool {
	if a.M != 1 || a.N != 1 || a.K < innerBlock*GemmChunk || a.Acc || a.Packed != nil {
		return false
	}
	_, inA := steps(a.Lda, a.TA)
	inB, _ := steps(a.Ldb, a.TB)
	return inA == 1 && inB == 1
}

// innerBlocks sums the first products of a, as many as are whole blocks, and
// returns how many these are. The rest goes on from C. For each block c.inner is
//
//	for i := range innerBlock {
//		sums[i] = +0
//		for k := range GemmChunk {
//			sums[i] = FMA(a[i*GemmChunk+k], b[i*GemmChunk+k], sums[i])
//		}
//	}
func (c *gemmContext) innerBlocks(a *GemmArgs) (done int) {
	again := a.Again
	for ; a.K-done >= innerBlock*GemmChunk; done += innerBlock * GemmChunk {
		c.inner(&c.innerSums[0], At(a.A, done), At(a.B, done))
		for _, s := range c.innerSums {
			if again {
				s += *a.C
			}
			*a.C, again = s, true
		}
	}
	return done
}

// goOn is a without its first products, which are done.
func (a *GemmArgs) goOn(done int) GemmArgs {
	rest := *a
	rest.A, rest.B, rest.K, rest.Again = At(a.A, done), At(a.B, done), a.K-done, true
	return rest
}
