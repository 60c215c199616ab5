package simd

// ListArgs holds the operands of one step of C lists. A list is a tape of cells that moves
// under a head. S holds the tapes: it has D rows by C columns, and each column is one tape,
// with P rows per cell. The head is at cell Head, with at least one cell on each side, so D
// >= 3P. Left, Right, Insert and Noop are the weights of the actions, vectors of C numbers;
// Noop may be nil. V, the cell to insert, has P rows by C columns. Lds and Ldv are the
// distances between the rows of S and of V, in elements. They are at least C.
type ListArgs struct {
	D, P, Head, C             int
	S, V                      *float32
	Lds, Ldv                  int
	Left, Right, Insert, Noop *float32
	Empty                     float32
}

// ListGradArgs holds the operands of the gradient of a step: Dy, the gradient of the
// step's result, and the outputs. An output that is nil is not computed.
type ListGradArgs struct {
	Dy                  *float32
	Lddy                int
	Ds                  *float32
	Ldds                int
	Left, Right, Insert *float32
	Lo, Hi              int // only rows Lo to Hi-1 are stored in ds, and only these are terms of the sums
}

// listTable holds the list routines of one instruction set. No output overlaps an input or
// another output. Nothing outside the elements of an output is written, and nothing outside
// the elements of an input is read. A routine does nothing if there are no lists (C = 0).
type listTable struct {
	// Step moves the tape. x is the value that an insertion puts into a cell.
	//
	//	for r, c := range dst {
	//		before := r < p ? empty : s[r-p][c]
	//		after := r >= D-p ? empty : s[r+p][c]
	//		x := r < head*p ? after : r < head*p+p ? v[r-head*p][c] : s[r][c]
	//		t := right[c] * after
	//		t = FMA(left[c], before, t)
	//		t = FMA(insert[c], x, t)
	//		t = FMA(noop[c], s[r][c], t) // unless noop is nil
	//		dst[r][c] = t
	//	}
	Step func(t ListArgs, dst *float32, ldd int)

	// Grad is the gradient of Step.
	//
	//	for r, c := range ds {
	//		before := r < p ? +0 : dy[r-p][c]
	//		after := r >= D-p ? +0 : dy[r+p][c]
	//		x := r < head*p+p ? before : dy[r][c]
	//		t := right[c] * before
	//		t = FMA(left[c], after, t)
	//		t = FMA(insert[c], x, t)
	//		t = FMA(noop[c], dy[r][c], t) // unless noop is nil
	//		ds[r][c] = t
	//	}
	//	dleft[c] = Σ dy[r][c] * before  // before, after and x as in Step; each sum
	//	dright[c] = Σ dy[r][c] * after  // runs over r as the contract states for
	//	dinsert[c] = Σ dy[r][c] * x     // products: FMAs from +0 in chunks of 256 rows
	Grad func(t ListArgs, g ListGradArgs)
}

// rows divides the rows of a tape into five parts, such that the rows of a part are
// computed in the same way. The parts are the first cell, the other cells before the
// head, the head, the cells between the head and the last cell, and the last cell. rows
// returns the first row of each part, and D, the end.
func (t *ListArgs) rows() [6]int {
	at := t.Head * t.P
	return [6]int{0, t.P, at, at + t.P, t.D - t.P, t.D}
}

// The indices of the parts.
const (
	firstCell = iota
	beforeHead
	atHead
	afterHead
	lastCell
)
