package simd

import "unsafe"

type stackGrad = func(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, R, p, C, ldds, lddv, lddy, lds, ldv int, empty float32)

// stackTable holds the stack routines of one instruction set. Stacks are stored
// stack-major: s has D rows by C columns, a column per stack, the top cell in the first
// rows. A cell has p rows, so D is a multiple of p and D >= p >= 1. The weights of the
// three actions (push, pop, noop) are vectors of C numbers, and the pushed cell v has p
// rows by C columns. The parameters whose names begin with ld are the distances between the
// rows of the matrices, in elements. These distances are at least C.
//
// No output overlaps an input or another output. Nothing outside the D by C elements of an
// output is written and nothing outside those of an input is read. If C is 0, a routine
// does nothing.
type stackTable struct {
	// Step computes one step of the stacks. If noop is nil its term is left out. The
	// parameter empty is the value that lies below the last cell.
	//
	//	for r, c := range dst {
	//		up := r < p ? v[r][c] : s[r-p][c]
	//		down := r >= D-p ? empty : s[r+p][c]
	//		t := pop[c] * down
	//		t = FMA(push[c], up, t)
	//		t = FMA(noop[c], s[r][c], t) // unless noop is nil
	//		dst[r][c] = t
	//	}
	Step func(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32)

	// Grad is the gradient of Step, where dy is the gradient of its result. Each of ds,
	// dpush, dpop, dnoop and dv may be nil and is then not computed. If noop is nil, dnoop
	// must be nil. Only the first R of the D rows of ds are computed, and only the first R
	// rows of dy are terms of the sums; p <= R <= D.
	//
	//	for r, c := range ds {
	//		t := r < p ? +0 : pop[c] * dy[r-p][c]
	//		t = FMA(push[c], dy[r+p][c], t) // unless r+p >= D
	//		t = FMA(noop[c], dy[r][c], t)   // unless noop is nil
	//		ds[r][c] = t
	//	}
	//	dpush[c] = Σ dy[r][c] * up   // up and down as in Step; each sum runs
	//	dpop[c]  = Σ dy[r][c] * down // over r as the contract states for
	//	dnoop[c] = Σ dy[r][c] * s[r][c] // products: FMAs from +0 in chunks of 256 rows
	//	dv[r][c] = push[c] * dy[r][c] // r < p
	Grad stackGrad

	// Sparse is like Grad, but it may skip rows of dy that hold only +0 when it computes
	// the sums. If the stacks are finite, each of its sums either equals that of Grad or is
	// -0. Sparse is nil if the instruction set has no such routine.
	Sparse stackGrad

	// Zero sets C columns of each row to +0. The rows are ld elements apart, and C <=
	// ld <= FlatColumns. Zero is nil if the instruction set has no such routine.
	Zero func(dst *float32, rows, C, ld int)

	// Bounded computes the part of Grad that StackGradArgs describes. In addition it sets
	// to 0 the elements of ds whose magnitude is below Least, and clips ds to [Lo, Hi].
	// Bounded is nil if the instruction set has no such routine.
	Bounded func(a *StackGradArgs)

	// Transpose transposes a matrix of rows by cols elements, to convert it to or from the
	// stack-major form.
	//
	//	dst[c][r] = x[r][c]
	Transpose func(dst, x *float32, rows, cols, ldd, ldx int)

	// ScaleCols multiplies each column by its own number. dst may be x.
	//
	//	dst[r][c] = x[r][c] * w[c]
	ScaleCols func(dst, x, w *float32, rows, C, ldd, ldx int)

	// RowsBy multiplies each row by its own number. dst may be x.
	//
	//	dst[r][j] = x[r][j] * w[r]
	RowsBy func(dst, x, w *float32, rows, n, ldd, ldx int)

	// RowDot computes the inner product of each row of x with the same row of y. The
	// products are rounded and then summed as the contract states for sums along a row.
	//
	//	dst[r] = sum over j of float32(x[r][j] * y[r][j])
	RowDot func(dst, x, y *float32, rows, n, ldx, ldy int)
}

// Line returns the first n elements of row i of a matrix. Its rows are ld elements
// apart.
func Line(p *float32, i, ld, n int) []float32 {
	return unsafe.Slice(At(p, i*ld), n)
}
