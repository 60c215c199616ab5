//go:build amd64 && !purego

package simd

//go:generate sh -c "cd _asm && go run ./list -out ../list_amd64.s"

// listBlock is the largest number of columns of a [listRun].
const listBlock = 64

// listRun holds the arguments of a kernel that computes several adjacent rows of a list,
// all by the same rule. The rows have at most listBlock columns. The fields ldd, lda, ldb,
// ldx and ldh are the distances in bytes between the rows of the matrices in dst, after,
// before, x and here, in this order. If the matrix after, before or x is nil, the kernel
// uses the array edge in place of each of its rows, and its row distance is 0.
type listRun struct {
	rows, cols                  int
	dst, after, before, x, here *float32
	ldd, lda, ldb, ldx, ldh     int
	right, left, insert, noop   *float32 // if noop is nil, there is no term of here
	sumAfter, sumBefore, sumX   [listBlock]float32
	edge                        [listBlock]float32 // the value beyond the ends
}

// listRowsAVX2 computes the rows of a run.
//
//	t := right[c] * after[r][c]
//	t = FMA(left[c], before[r][c], t)
//	t = FMA(insert[c], x[r][c], t)
//	t = FMA(noop[c], here[r][c], t) // unless noop is nil
//	dst[r][c] = t
//
//go:noescape
func listRowsAVX2(a *listRun)

//go:noescape
func listRowsAVX512(a *listRun)

// listSumsAVX2 adds the terms of some rows to the gradients of the weights, which are sums
// over rows. The matrix in the field here is the gradient of the new list. A term is the
// product of one of its elements and the element in the same place of the matrix after,
// before or x. It is added to the sum of its column by one FMA.
//
//	sumAfter[c] = FMA(here[r][c], after[r][c], sumAfter[c]) // the others likewise
//
//go:noescape
func listSumsAVX2(a *listRun)

//go:noescape
func listSumsAVX512(a *listRun)

// block prepares the run for a block of at most listBlock columns, of which c0 is the
// first. It sets the weights. It also fills the array edge with the parameter beyond, which
// is the value of cells beyond the ends of the list.
func (a *listRun) block(t *ListArgs, c0 int, beyond float32) {
	a.cols = min(listBlock, t.C-c0)
	for c := range a.cols {
		a.edge[c] = beyond
	}
	a.right, a.left, a.insert, a.noop = At(t.Right, c0), At(t.Left, c0), At(t.Insert, c0), nil
	if t.Noop != nil {
		a.noop = At(t.Noop, c0)
	}
}

// sources sets the fields before, after and x, from which a step computes the new rows. The
// parameter r is the first of these rows, and the parameter run says which part of the list
// they belong to.
func (a *listRun) sources(t *ListArgs, run, r, c0 int) {
	a.before, a.ldb = nil, 0
	if run != firstCell {
		a.before, a.ldb = At(t.S, (r-t.P)*t.Lds+c0), 4*t.Lds
	}
	a.after, a.lda = nil, 0
	if run != lastCell {
		a.after, a.lda = At(t.S, (r+t.P)*t.Lds+c0), 4*t.Lds
	}
	switch {
	case run < atHead:
		a.x, a.ldx = a.after, a.lda
	case run == atHead:
		a.x, a.ldx = At(t.V, (r-t.Head*t.P)*t.Ldv+c0), 4*t.Ldv
	default:
		a.x, a.ldx = At(t.S, r*t.Lds+c0), 4*t.Lds
	}
}

func listStep(wide bool, t *ListArgs, dst *float32, ldd int) {
	var a listRun
	rows := t.rows()
	for c0 := 0; c0 < t.C; c0 += listBlock {
		a.block(t, c0, t.Empty)
		for run, r := range rows[:5] {
			if a.rows = rows[run+1] - r; a.rows == 0 {
				continue
			}
			a.sources(t, run, r, c0)
			a.here, a.ldh = At(t.S, r*t.Lds+c0), 4*t.Lds
			a.dst, a.ldd = At(dst, r*ldd+c0), 4*ldd
			a.make(wide)
		}
	}
}

func (a *listRun) make(wide bool) {
	if wide {
		listRowsAVX512(a)
	} else {
		listRowsAVX2(a)
	}
}

func listGrad(wide bool, t *ListArgs, g *ListGradArgs) {
	var a listRun
	for c0 := 0; c0 < t.C; c0 += listBlock {
		if g.Ds != nil {
			a.block(t, c0, 0)
			a.state(wide, t, g, c0)
		}
		if g.Left != nil || g.Right != nil || g.Insert != nil {
			a.block(t, c0, t.Empty)
			a.weights(wide, t, g, c0)
		}
	}
}

// state computes ds, the gradient of the list before the step. A gradient moves in the
// opposite direction of the values. So where a step reads the cell to the right, this method
// reads the cell to the left, and the other way round.
func (a *listRun) state(wide bool, t *ListArgs, g *ListGradArgs, c0 int) {
	rows := t.rows()
	for run, r := range rows[:5] {
		r = max(r, g.Lo)
		if a.rows = min(rows[run+1], g.Hi) - r; a.rows <= 0 {
			continue
		}
		a.here, a.ldh = At(g.Dy, r*g.Lddy+c0), 4*g.Lddy
		a.after, a.lda = nil, 0
		if run != firstCell {
			a.after, a.lda = At(g.Dy, (r-t.P)*g.Lddy+c0), 4*g.Lddy
		}
		a.before, a.ldb = nil, 0
		if run != lastCell {
			a.before, a.ldb = At(g.Dy, (r+t.P)*g.Lddy+c0), 4*g.Lddy
		}
		a.x, a.ldx = a.after, a.lda
		if run > atHead {
			a.x, a.ldx = a.here, a.ldh
		}
		a.dst, a.ldd = At(g.Ds, r*g.Ldds+c0), 4*g.Ldds
		a.make(wide)
	}
}

// weights computes the gradients of the weights left, right and insert, chunk by chunk.
func (a *listRun) weights(wide bool, t *ListArgs, g *ListGradArgs, c0 int) {
	rows := t.rows()
	run := 0
	for r0 := 0; r0 < t.D; r0 += GemmChunk {
		clear(a.sumAfter[:a.cols])
		clear(a.sumBefore[:a.cols])
		clear(a.sumX[:a.cols])
		end := min(r0+GemmChunk, g.Hi)
		for r := max(r0, g.Lo); r < end; {
			for r >= rows[run+1] {
				run++
			}
			a.rows = min(end, rows[run+1]) - r
			a.sources(t, run, r, c0)
			a.here, a.ldh = At(g.Dy, r*g.Lddy+c0), 4*g.Lddy
			if wide {
				listSumsAVX512(a)
			} else {
				listSumsAVX2(a)
			}
			r += a.rows
		}
		finish(g.Right, &a.sumAfter, c0, a.cols, r0 > 0)
		finish(g.Left, &a.sumBefore, c0, a.cols, r0 > 0)
		finish(g.Insert, &a.sumX, c0, a.cols, r0 > 0)
	}
}

// finish stores the sums of a chunk or, if add is set, adds them to the sums of earlier
// chunks.
func finish(to *float32, sums *[listBlock]float32, c0, cols int, add bool) {
	if to == nil {
		return
	}
	d := Line(to, 0, 0, c0+cols)[c0:]
	if !add {
		copy(d, sums[:cols])
		return
	}
	for c := range d {
		d[c] += sums[c]
	}
}

func listFor(isa ISA) listTable {
	switch isa {
	case AVX2:
		return listTable{
			Step: func(t ListArgs, dst *float32, ldd int) { listStep(false, &t, dst, ldd) },
			Grad: func(t ListArgs, g ListGradArgs) { listGrad(false, &t, &g) },
		}
	case AVX512:
		return listTable{
			Step: func(t ListArgs, dst *float32, ldd int) { listStep(true, &t, dst, ldd) },
			Grad: func(t ListArgs, g ListGradArgs) { listGrad(true, &t, &g) },
		}
	}
	return listGenericTable
}
