package simd

// StackGradArgs is what stackGradRows reads, for at most a chunk of rows. The
// pointers are those of the first row in hand; dy and s, unless that row is in
// the first cell, are those of the row a cell above it.
type StackGradArgs struct {
	Ds                         *float32 // nil: not wanted
	Dpush, Dpop, Dnoop         *float32 // nil: not wanted
	Dy, S, V, Push, Pop, Noop  *float32
	Ldds, Lddy, Lds, Ldv, P, C int // row distances in elements
	First, Inner, Last, single int // rows in the first cell, between, in the last; in the only one
	Sums                       int // 1: one of dpush, dpop and dnoop is wanted
	add                        int // 1: their sums are added to what they hold
	Empty                      float32
	Least, Lo, Hi              float32 // of bounds: what is dropped, and clipped
}

// next sets a up for the chunk of rows from r on, of the first R, and reports
// whether there is work. ds, dy, s and v are those of row 0 of the D rows.
func (a *StackGradArgs) next(ds, dy, s, v *float32, r, D, R int) bool {
	if a.Dpush != nil || a.Dpop != nil || a.Dnoop != nil {
		a.Sums = 1
	}
	if r >= R || ds == nil && a.Sums == 0 {
		return false
	}
	end := min(r+GemmChunk, R)
	p := a.P
	from := r // of dy and s
	if r >= p {
		from = r - p
	}
	a.Dy, a.S = At(dy, from*a.Lddy), At(s, from*a.Lds)
	if ds != nil {
		a.Ds = At(ds, r*a.Ldds)
	} else {
		a.Ldds = 0 // each row to the one place kept for what nobody wants
	}
	if r < p {
		a.V = At(v, r*a.Ldv)
	}
	within := func(lo, hi int) int { return max(0, min(end, hi)-max(r, lo)) }
	if D == p {
		a.single = within(0, p)
	} else {
		a.First, a.Inner, a.Last = within(0, p), within(p, D-p), within(D-p, D)
	}
	if r > 0 {
		a.add = 1
	}
	return true
}
