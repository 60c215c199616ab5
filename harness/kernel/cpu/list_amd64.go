//go:build amd64 && !purego

package cpu

//go:generate sh -c "cd _asm && go run ./list -out ../list_amd64.s"

// listBlock is the most columns of a [listRun].
const listBlock = 64

// listRun is rows that are made alike, of at most listBlock columns. Each ld is
// the distance between the rows of its matrix in bytes. Where after, before or x
// is nil, its ld is 0 and every row of it is edge.
type listRun struct {
	rows, cols                  int
	dst, after, before, x, here *float32
	ldd, lda, ldb, ldx, ldh     int
	right, left, insert, noop   *float32 // noop nil: without here
	sumAfter, sumBefore, sumX   [listBlock]float32
	edge                        [listBlock]float32 // what lies beyond the ends
}

// listRows makes the rows.
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

// listSums adds the products of here with the others to the sums, an FMA a row.
//
//	sumAfter[c] = FMA(here[r][c], after[r][c], sumAfter[c]) // the others alike
//
//go:noescape
func listSumsAVX2(a *listRun)

//go:noescape
func listSumsAVX512(a *listRun)

// block sets up the columns from c0 on, less than all if they are many.
func (a *listRun) block(t *tape, c0 int, beyond float32) {
	a.cols = min(listBlock, t.C-c0)
	for c := range a.cols {
		a.edge[c] = beyond
	}
	a.right, a.left, a.insert, a.noop = at(t.right, c0), at(t.left, c0), at(t.insert, c0), nil
	if t.noop != nil {
		a.noop = at(t.noop, c0)
	}
}

// brought sets up what the movements bring to the rows from r on of a run.
func (a *listRun) brought(t *tape, run, r, c0 int) {
	a.before, a.ldb = nil, 0
	if run != firstCell {
		a.before, a.ldb = at(t.s, (r-t.p)*t.lds+c0), 4*t.lds
	}
	a.after, a.lda = nil, 0
	if run != lastCell {
		a.after, a.lda = at(t.s, (r+t.p)*t.lds+c0), 4*t.lds
	}
	switch {
	case run < atHead:
		a.x, a.ldx = a.after, a.lda
	case run == atHead:
		a.x, a.ldx = at(t.v, (r-t.head*t.p)*t.ldv+c0), 4*t.ldv
	default:
		a.x, a.ldx = at(t.s, r*t.lds+c0), 4*t.lds
	}
}

func listStep(wide bool, t *tape, dst *float32, ldd int) {
	var a listRun
	rows := t.rows()
	for c0 := 0; c0 < t.C; c0 += listBlock {
		a.block(t, c0, t.empty)
		for run, r := range rows[:5] {
			if a.rows = rows[run+1] - r; a.rows == 0 {
				continue
			}
			a.brought(t, run, r, c0)
			a.here, a.ldh = at(t.s, r*t.lds+c0), 4*t.lds
			a.dst, a.ldd = at(dst, r*ldd+c0), 4*ldd
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

func listGrad(wide bool, t *tape, g *tapeGrad) {
	var a listRun
	for c0 := 0; c0 < t.C; c0 += listBlock {
		if g.ds != nil {
			a.block(t, c0, 0)
			a.state(wide, t, g, c0)
		}
		if g.left != nil || g.right != nil || g.insert != nil {
			a.block(t, c0, t.empty)
			a.weights(wide, t, g, c0)
		}
	}
}

// state is the gradient by the tape: the roles of before and after are changed.
func (a *listRun) state(wide bool, t *tape, g *tapeGrad, c0 int) {
	rows := t.rows()
	for run, r := range rows[:5] {
		r = max(r, g.lo)
		if a.rows = min(rows[run+1], g.hi) - r; a.rows <= 0 {
			continue
		}
		a.here, a.ldh = at(g.dy, r*g.lddy+c0), 4*g.lddy
		a.after, a.lda = nil, 0
		if run != firstCell {
			a.after, a.lda = at(g.dy, (r-t.p)*g.lddy+c0), 4*g.lddy
		}
		a.before, a.ldb = nil, 0
		if run != lastCell {
			a.before, a.ldb = at(g.dy, (r+t.p)*g.lddy+c0), 4*g.lddy
		}
		a.x, a.ldx = a.after, a.lda
		if run > atHead {
			a.x, a.ldx = a.here, a.ldh
		}
		a.dst, a.ldd = at(g.ds, r*g.ldds+c0), 4*g.ldds
		a.make(wide)
	}
}

// weights is the gradients by left, right and insert, chunk by chunk.
func (a *listRun) weights(wide bool, t *tape, g *tapeGrad, c0 int) {
	rows := t.rows()
	run := 0
	for r0 := 0; r0 < t.D; r0 += gemmChunk {
		clear(a.sumAfter[:a.cols])
		clear(a.sumBefore[:a.cols])
		clear(a.sumX[:a.cols])
		end := min(r0+gemmChunk, g.hi)
		for r := max(r0, g.lo); r < end; {
			for r >= rows[run+1] {
				run++
			}
			a.rows = min(end, rows[run+1]) - r
			a.brought(t, run, r, c0)
			a.here, a.ldh = at(g.dy, r*g.lddy+c0), 4*g.lddy
			if wide {
				listSumsAVX512(a)
			} else {
				listSumsAVX2(a)
			}
			r += a.rows
		}
		finish(g.right, &a.sumAfter, c0, a.cols, r0 > 0)
		finish(g.left, &a.sumBefore, c0, a.cols, r0 > 0)
		finish(g.insert, &a.sumX, c0, a.cols, r0 > 0)
	}
}

// finish hands over the sums of a chunk, or adds them to those before it.
func finish(to *float32, sums *[listBlock]float32, c0, cols int, add bool) {
	if to == nil {
		return
	}
	d := line(to, 0, 0, c0+cols)[c0:]
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
			step: func(t tape, dst *float32, ldd int) { listStep(false, &t, dst, ldd) },
			grad: func(t tape, g tapeGrad) { listGrad(false, &t, &g) },
		}
	case AVX512:
		return listTable{
			step: func(t tape, dst *float32, ldd int) { listStep(true, &t, dst, ldd) },
			grad: func(t tape, g tapeGrad) { listGrad(true, &t, &g) },
		}
	}
	return listGenericTable
}
