package simd

import (
	"fmt"
	"unsafe"

	"pushdown/harness/kernel"
)

// GemmChunk is the number of terms that the numeric contract adds to one running sum of
// a product.
const GemmChunk = kernel.Chunk

// GemmArgs is one product C (+)= op(A) op(B) of row-major matrices: op(A) is
// M x K, op(B) is K x N, C is M x N, and op(X) is X or its transpose.
//
//	for i, j := range M x N {
//		sum := chunk(i, j, 0)                   // a chunk is 256 values of k:
//		for k0 := 256; k0 < K; k0 += 256 {      // acc = +0, then for increasing k
//			sum += chunk(i, j, k0)          // acc = FMA(A[i,k], B[k,j], acc)
//		}
//		C[i,j] = sum                            // with Acc: C[i,j] + sum
//	}
//
// If Continue is set, C already holds the sum over earlier values of k, which must fill
// whole chunks. The sum then starts as C[i,j], and every chunk including the first is added
// to it.
//
// The order of the additions is fixed, so the bits of C do not depend on the
// instruction set, the division into blocks or the number of threads. Without products
// (K = 0) the sum is +0. NaN and infinities follow IEEE 754, but which NaN results is
// unspecified. C must not overlap A or B. Nothing outside the three matrices is read or
// written, including the gaps between their rows.
type GemmArgs struct {
	M, N, K       int      // not negative; M = 0 or N = 0 does nothing
	A, B, C       *float32 // first elements; may be nil if the matrix is empty
	Lda, Ldb, Ldc int      // distance between rows as stored, in elements
	TA, TB        bool     // the matrix is stored transposed: A as K x M, B as N x K
	Acc           bool     // add the finished sum to C, in one addition
	Continue      bool     // continue from C: add every chunk to it; excludes Acc
	Packed        *float32 // op(B) as packed by [GemmTeam.Pack], in place of B, Ldb and TB; nil: not packed
}

func (a *GemmArgs) String() string {
	form := [2]byte{'N', 'N'}
	if a.TA {
		form[0] = 'T'
	}
	if a.TB {
		form[1] = 'T'
	}
	return fmt.Sprintf("%s[%d,%d]x[%d,%d] ld %d,%d,%d acc=%t again=%t", form[:], a.M, a.K, a.K, a.N, a.Lda, a.Ldb, a.Ldc, a.Acc, a.Continue)
}

// steps returns the distances between the rows and between the columns of op(X), in
// elements of X.
func steps(ld int, transposed bool) (row, col int) {
	if transposed {
		return 1, ld
	}
	return ld, 1
}

// Part returns the arguments for a part of the product: rows i0 to i1-1 and columns j0
// to j1-1 of C. If B is packed, j0 must be a multiple of the width of a panel.
func (a *GemmArgs) Part(i0, i1, j0, j1 int) GemmArgs {
	p := *a
	p.M, p.N = i1-i0, j1-j0
	if p.M == 0 || p.N == 0 {
		return p
	}
	p.C = At(a.C, i0*a.Ldc+j0)
	if a.K == 0 {
		return p
	}
	row, _ := steps(a.Lda, a.TA)
	p.A = At(a.A, i0*row)
	if a.Packed != nil {
		p.Packed = At(a.Packed, j0*a.K)
		return p
	}
	_, col := steps(a.Ldb, a.TB)
	p.B = At(a.B, j0*col)
	return p
}

// At returns the address of p's element i.
func At(p *float32, i int) *float32 {
	return (*float32)(unsafe.Add(unsafe.Pointer(p), 4*i))
}

// gemmContext holds the kernels and buffers with which one thread computes products.
// The buffers grow as needed and are reused. Two threads must not use a context at the
// same time.
type gemmContext struct {
	Table     gemmTable
	tile      GemmTile                  // arguments of the kernel being called
	side      GemmTile                  // arguments of the kernels for packing and adding
	along     gemmAlong                 // arguments of the kernels that run along B
	panel     []float32                 // a panel of B, packed
	rowPanels []float32                 // a block of A, packed
	sums      []float32                 // sums of some chunks, if only a finished sum may be added to C
	inner     func(sums, a, b *float32) // for innerBlocks; nil: not available
	innerSums [innerBlock]float32
	rest      GemmArgs // the rest of a product after innerBlocks
}

func newGemmContext(isa ISA) *gemmContext {
	return &gemmContext{Table: gemmFor(isa), inner: innerFor(isa)}
}

// run computes the product.
func (c *gemmContext) run(a *GemmArgs) {
	if a.M <= 0 || a.N <= 0 {
		return
	}
	if c.Table.Lanes == 0 || a.K == 0 {
		gemmGeneric(a)
		return
	}
	if c.inner != nil && a.isInner() {
		done := c.innerBlocks(a)
		if done == a.K {
			return
		}
		c.rest = a.remaining(done)
		a = &c.rest
	}
	switch {
	case c.small(a):
	case a.K > deepK && a.M >= packRows && a.N > 2*BlockCols && !a.Acc && a.Packed == nil:
		c.deep(a)
	default:
		c.blocked(a)
	}
}

// deepK is the largest inner extent that is computed at a time. With a larger one, the
// packed part of A would not stay in the cache.
const deepK = 8 * GemmChunk

// deep computes a product as several products, each over at most deepK values of k.
func (c *gemmContext) deep(a *GemmArgs) {
	_, aCol := steps(a.Lda, a.TA)
	bRow, _ := steps(a.Ldb, a.TB)
	for k := 0; k < a.K; k += deepK {
		p := *a
		p.K = min(deepK, a.K-k)
		p.A, p.B = At(a.A, k*aCol), At(a.B, k*bRow)
		p.Continue = a.Continue || k > 0
		c.blocked(&p)
	}
}
