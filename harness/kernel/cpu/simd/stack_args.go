package simd

// StackGradArgs holds the arguments of stackGradRows, which computes at most one chunk
// of rows. Ds, Dy, S and V point to the first row of the chunk. If that row is not in
// the first cell, Dy and S point to the row one cell above it instead.
type StackGradArgs struct {
	Ds                         *float32 // nil: not wanted
	Dpush, Dpop, Dnoop         *float32 // nil: not wanted
	Dy, S, V, Push, Pop, Noop  *float32
	Ldds, Lddy, Lds, Ldv, P, C int // row distances in elements
	First, Inner, Last, single int // numbers of rows in the first cell, between, in the last cell, and in an only cell
	Sums                       int // 1: at least one of Dpush, Dpop and Dnoop is wanted
	add                        int // 1: add the sums to the contents of the outputs
	Empty                      float32
	Least, Lo, Hi              float32 // for Bounded: the least magnitude that is not flushed, and the bounds of the clip
}

// next sets the arguments for the chunk that starts at row r and ends at row R at the
// latest. It reports whether there is something to compute. ds, dy, s and v point to
// row 0 of the D rows.
func (a *StackGradArgs) next(ds, dy, s, v *float32, r, D, R int) bool {
	if a.Dpush != nil || a.Dpop != nil || a.Dnoop != nil {
		a.Sums = 1
	}
	if r >= R || ds == nil && a.Sums == 0 {
		return false
	}
	end := min(r+GemmChunk, R)
	p := a.P
	from := r // first row of Dy and S
	if r >= p {
		from = r - p
	}
	a.Dy, a.S = At(dy, from*a.Lddy), At(s, from*a.Lds)
	if ds != nil {
		a.Ds = At(ds, r*a.Ldds)
	} else {
		a.Ldds = 0 // store every row to the same place, which is not used
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
