package simd

// The stacks of a few strings have a few columns, and a vector has room for several
// of their rows. All of these rows take the same weights, so that a step is three
// products of vectors, wherever it is in the stack. Of the sums, which run down the
// rows, several rows at once are looked at only to find those that add nothing.

// FlatColumns is the most columns, and distance between rows, of a flat stack.
const FlatColumns = 8

// flatShape is what lies in one vector: whole rows ld apart, of C columns.
type flatShape struct {
	turn  [16]int32 // the column of each lane, 0 in gaps
	mask  uint64    // lanes that are no gaps
	first uint64    // the first C lanes
	lanes int       // of its rows
	rows  int
	bytes int // from row to row
}

// flatShapes has the shape for each ld and C, both up to FlatColumns.
var flatShapes = func() (list [FlatColumns + 1][FlatColumns + 1]flatShape) {
	for ld := 1; ld <= FlatColumns; ld++ {
		for C := 1; C <= ld; C++ {
			s := &list[ld][C]
			s.rows, s.bytes, s.first = 16/ld, 4*ld, 1<<C-1
			s.lanes = s.rows * ld
			for i := range s.lanes {
				if c := i % ld; c < C {
					s.turn[i], s.mask = int32(c), s.mask|1<<i
				}
			}
		}
	}
	return
}()

// flatRows is what the kernel of that name reads. All rows have the distance and
// the columns of shape.
//
//	for r, c := range rows x C {
//		t := a[c] * x[r][c]
//		t = FMA(b[c], y[r][c], t) // unless y is nil
//		t = FMA(c[c], z[r][c], t) // unless z is nil
//		dst[r][c] = t
//	}
//
// Numbers below the normal ones go another way, of the same bits and faster.
//
// flat_amd64.s knows the order of the fields.
type flatRows struct {
	dst, x, y, z *float32
	a, b, c      *float32
	move         int // bytes to the rows of x in the next vector; 0: they are the same
	count        int // elements of all rows, with their gaps
	shape        *flatShape
}

// flatSums is what the kernel of that name reads. Vectors of rows of dy that hold
// +0 alone are left out, unless all is 1.
//
//	for r, c, i := range rows x C x 3 {
//		sum[i][c] = FMA(dy[r][c], with[i][r][c], sum[i][c])
//	}
//
// flat_amd64.s knows the order of the fields.
type flatSums struct {
	dy    *float32
	with  [3]*float32
	move  [3]int // from row to row of with, in bytes
	rows  int
	all   int
	shape *flatShape
	sum   [3][FlatColumns]float32
}

// flatWide is the turn of a vector of one row.
var flatWide = [16]int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// flatNone is a vector of zeros.
var flatNone [16]float32

// isFlat tells whether stacks have room for several rows in a vector.
func isFlat(D, p, C, ld int) bool {
	return 0 < C && C <= ld && ld <= FlatColumns && 2*p <= D && p <= 8
}
