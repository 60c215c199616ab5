package cpu

// stackGradArgs is what stackGradRows reads, for at most a chunk of rows. The
// pointers are those of the first row in hand; dy and s, unless that row is in
// the first cell, are those of the row a cell above it.
type stackGradArgs struct {
	ds                         *float32 // nil: not wanted
	dpush, dpop, dnoop         *float32 // nil: not wanted
	dy, s, v, push, pop, noop  *float32
	ldds, lddy, lds, ldv, p, C int // row distances in elements
	first, inner, last, single int // rows in the first cell, between, in the last; in the only one
	sums                       int // 1: one of dpush, dpop and dnoop is wanted
	add                        int // 1: their sums are added to what they hold
	empty                      float32
	least, lo, hi              float32 // of bounds: what is dropped, and clipped
}

// next sets a up for the chunk of rows from r on, of the first R, and reports
// whether there is work. ds, dy, s and v are those of row 0 of the D rows.
func (a *stackGradArgs) next(ds, dy, s, v *float32, r, D, R int) bool {
	if a.dpush != nil || a.dpop != nil || a.dnoop != nil {
		a.sums = 1
	}
	if r >= R || ds == nil && a.sums == 0 {
		return false
	}
	end := min(r+gemmChunk, R)
	p := a.p
	from := r // of dy and s
	if r >= p {
		from = r - p
	}
	a.dy, a.s = at(dy, from*a.lddy), at(s, from*a.lds)
	if ds != nil {
		a.ds = at(ds, r*a.ldds)
	} else {
		a.ldds = 0 // each row to the one place kept for what nobody wants
	}
	if r < p {
		a.v = at(v, r*a.ldv)
	}
	within := func(lo, hi int) int { return max(0, min(end, hi)-max(r, lo)) }
	if D == p {
		a.single = within(0, p)
	} else {
		a.first, a.inner, a.last = within(0, p), within(p, D-p), within(D-p, D)
	}
	if r > 0 {
		a.add = 1
	}
	return true
}
