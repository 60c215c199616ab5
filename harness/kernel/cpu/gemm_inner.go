package cpu

// The inner product of two vectors, the gradient of a weight over all rows, is
// one running sum after the other for tiles of C. Here the chunks run side by
// side, each in a lane of its own.

// innerBlock is the number of chunks that innerBlocks takes at a time.
const innerBlock = 16

// isInner tells whether a is the product of two vectors without gaps that is
// long enough for innerBlocks.
func (a *gemmArgs) isInner() bool {
	if a.M != 1 || a.N != 1 || a.K < innerBlock*gemmChunk || a.Acc || a.Packed != nil {
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
//		for k := range gemmChunk {
//			sums[i] = FMA(a[i*gemmChunk+k], b[i*gemmChunk+k], sums[i])
//		}
//	}
func (c *gemmContext) innerBlocks(a *gemmArgs) (done int) {
	again := a.Again
	for ; a.K-done >= innerBlock*gemmChunk; done += innerBlock * gemmChunk {
		c.inner(&c.innerSums[0], at(a.A, done), at(a.B, done))
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
func (a *gemmArgs) goOn(done int) gemmArgs {
	rest := *a
	rest.A, rest.B, rest.K, rest.Again = at(a.A, done), at(a.B, done), a.K-done, true
	return rest
}
