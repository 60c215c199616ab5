package simd

// StackGradArgs holds the arguments of stackGradRows, for at most one chunk of rows.
// The pointers are those of the chunk's first row. If that row is not in the first
// cell, Dy and S are those of the row one cell above it.
type StackGradArgs struct {
	Ds                         *float32 // nil: not wanted
	Dpush, Dpop, Dnoop         *float32 // nil: not wanted
	Dy, S, V, Push, Pop, Noop  *float32
	Ldds, Lddy, Lds, Ldv, P, C int // row distances in elements
	First, Inner, Last, single int // number of rows in the first cell, between, and in the last cell; in the only cell
	Sums                       int // 1: one of Dpush, Dpop and Dnoop is wanted
	add                        int // 1: add the sums to the contents of the outputs
	Empty                      float32
	Least, Lo, Hi              float32 // of Bounded: the least magnitude kept, and the bounds of the clip
}

// next sets a up for the chunk of rows from r on, of the first R rows, and reports
// whether there is work. ds, dy, s and v point to row 0 of the D rows.
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
		a.Ldds = 0 // store each row to the same unused place
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
