package simd

// Tape is what a list reads in one step: s, D rows by C columns, a column for
// each tape, cells of p rows, the head at cell head. It has a cell on either side,
// so D >= 3p. The weights are vectors of C numbers, noop may be nil; v, the cell
// to be inserted, is p rows by C columns. Each ld, at least C, is the distance
// between the rows of its matrix, in elements.
type Tape struct {
	D, P, Head, C             int
	S, V                      *float32
	Lds, Ldv                  int
	Left, Right, Insert, Noop *float32
	Empty                     float32
}

// TapeGrad is the gradient of a step: dy, that of its result, and what is asked
// for, nil where it is not.
type TapeGrad struct {
	Dy                  *float32
	Lddy                int
	Ds                  *float32
	Ldds                int
	Left, Right, Insert *float32
	Lo, Hi              int // rows that are gone through: of ds, and terms of the sums
}

// listTable is the lists of one instruction set. No output overlaps an input or
// another output. Nothing outside the elements of an output is written and
// nothing outside those of an input is read. C = 0 does nothing.
type listTable struct {
	// Step moves the tape; x is what an insertion brings.
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
	Step func(t Tape, dst *float32, ldd int)

	// Grad is the gradient of step.
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
	//	dleft[c] = Σ dy[r][c] * before  // before, after and x as in step; each sum
	//	dright[c] = Σ dy[r][c] * after  // runs over r as rule 2 has it: an FMA a row
	//	dinsert[c] = Σ dy[r][c] * x     // onto +0 in chunks of 256 rows
	Grad func(t Tape, g TapeGrad)
}

// rows are the first rows of the five runs of a tape whose rows are made alike:
// the first cell, those before the head, the head, those after it, the last.
// The sixth is the end.
func (t *Tape) rows() [6]int {
	at := t.Head * t.P
	return [6]int{0, t.P, at, at + t.P, t.D - t.P, t.D}
}

// The runs.
const (
	firstCell = iota
	beforeHead
	atHead
	afterHead
	lastCell
)
