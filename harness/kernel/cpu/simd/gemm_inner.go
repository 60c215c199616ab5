package simd

// The inner product of two vectors is, for example, the gradient of a single weight over
// all rows. The numeric contract divides its sum into chunks of GemmChunk terms. The
// general routine would compute one chunk after the other. Here several chunks are computed
// in parallel, each in a lane of its own.

// innerBlock is the number of chunks that innerBlocks computes at a time.
const innerBlock = 16

// isInner reports whether the product is that of two vectors without gaps, and long
// enough for innerBlocks.
func (a *GemmArgs) isInner() bool {
	if a.M != 1 || a.N != 1 || a.K < innerBlock*GemmChunk || a.Acc || a.Packed != nil {
		return false
	}
	_, inA := steps(a.Lda, a.TA)
	inB, _ := steps(a.Ldb, a.TB)
	return inA == 1 && inB == 1
}

// innerBlocks computes the part of an inner product that consists of whole blocks of
// innerBlock chunks, and stores its sum in C. It returns the number of products in this
// part. For each block c.inner computes
//
//	for i := range innerBlock {
//		sums[i] = +0
//		for k := range GemmChunk {
//			sums[i] = FMA(a[i*GemmChunk+k], b[i*GemmChunk+k], sums[i])
//		}
//	}
func (c *gemmContext) innerBlocks(a *GemmArgs) (done int) {
	again := a.Continue
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

// remaining returns the rest of a product whose first terms are already summed in C. The
// parameter done is the number of these terms. The rest is added to C.
func (a *GemmArgs) remaining(done int) GemmArgs {
	rest := *a
	rest.A, rest.B, rest.K, rest.Continue = At(a.A, done), At(a.B, done), a.K-done, true
	return rest
}
