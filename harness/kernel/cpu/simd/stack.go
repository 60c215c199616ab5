package simd

import "unsafe"

type stackGrad = func(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32,
	D, R, p, C, ldds, lddv, lddy, lds, ldv int, empty float32)

// stackTable is the stacks of one instruction set. A stack lies
// stack-major: s is D rows by C columns, a column per string, the top cell in the
// first rows. A cell is p rows, so D is a multiple of p and D >= p >= 1. The
// weights of the three actions (push, pop, noop) are vectors of C numbers and
// the pushed cell v is p rows by C columns. Each ld, at least C, is the
// distance between the rows of its matrix, in elements.
//
// No output overlaps an input or another output. Nothing outside the D by C
// elements of an output is written and nothing outside those of an input is
// read. C = 0 does nothing.
type stackTable struct {
	// Step is one step of the stacks. noop may be nil: its term is then left
	// out. Below the last cell lies the value empty.
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

	// Grad is the gradient of step, dy being that of its result. Each of ds,
	// dpush, dpop, dnoop and dv may be nil and is then not computed; dnoop is
	// not asked for where noop is nil. Of the D rows only the first R are gone
	// through, p <= R <= D: in those of ds, in the terms of the sums.
	//
	//	for r, c := range ds {
	//		t := r < p ? +0 : pop[c] * dy[r-p][c]
	//		t = FMA(push[c], dy[r+p][c], t) // unless r+p >= D
	//		t = FMA(noop[c], dy[r][c], t)   // unless noop is nil
	//		ds[r][c] = t
	//	}
	//	dpush[c] = Σ dy[r][c] * up   // up and down as in step; each sum runs
	//	dpop[c]  = Σ dy[r][c] * down // over r as rule 2 has it: an FMA a row
	//	dnoop[c] = Σ dy[r][c] * s[r][c] // onto +0 in chunks of 256 rows
	//	dv[r][c] = push[c] * dy[r][c] // r < p
	Grad stackGrad

	// Sparse is grad but that, of finite stacks, it may leave rows of dy that are +0
	// out of the sums: of those only -0 may be another zero. nil: there is none.
	Sparse stackGrad

	// Zero clears C columns of rows ld apart, C <= ld <= FlatColumns. nil: there is none.
	Zero func(dst *float32, rows, C, ld int)

	// Bounded is a part of grad, see StackGradArgs: ds is 0 where |t| < least, and
	// clipped within lo and hi. nil: there is none.
	Bounded func(a *StackGradArgs)

	// Transpose turns rows by cols into cols by rows: row nodes into depth
	// nodes and back.
	//
	//	dst[c][r] = x[r][c]
	Transpose func(dst, x *float32, rows, cols, ldd, ldx int)

	// ScaleCols scales each column by its own number. dst may be x.
	//
	//	dst[r][c] = x[r][c] * w[c]
	ScaleCols func(dst, x, w *float32, rows, C, ldd, ldx int)

	// RowsBy scales each row by its own number. dst may be x.
	//
	//	dst[r][j] = x[r][j] * w[r]
	RowsBy func(dst, x, w *float32, rows, n, ldd, ldx int)

	// RowDot is the inner product of each row of x with that of y: the
	// products rounded, then summed as rule 5 has it.
	//
	//	dst[r] = sum over j of float32(x[r][j] * y[r][j])
	RowDot func(dst, x, y *float32, rows, n, ldx, ldy int)
}

// Line is the first n elements of row i of a matrix with rows ld apart.
func Line(p *float32, i, ld, n int) []float32 {
	return unsafe.Slice(At(p, i*ld), n)
}
