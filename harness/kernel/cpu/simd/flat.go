package simd

// The stacks of a few strings have few columns, so a vector has room for several of
// their rows. All of these rows use the same weights. A step is therefore three
// products of vectors, at any height of the stack. The sums run down the rows; there,
// several rows at once are only tested for zeros, which add nothing.

// FlatColumns is the largest number of columns, and the largest distance between
// rows, of a flat stack.
const FlatColumns = 8

// flatShape describes the contents of one vector: whole rows of C columns, ld apart.
type flatShape struct {
	column [16]int32 // the column of each lane, 0 in gaps
	mask   uint64    // lanes outside gaps
	first  uint64    // the first C lanes
	lanes  int       // lanes of its rows, with gaps
	rows   int
	bytes  int // distance from row to row
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
					s.column[i], s.mask = int32(c), s.mask|1<<i
				}
			}
		}
	}
	return
}()

// flatRows holds the arguments of the kernel with that name. All rows have the
// distance and the columns of shape.
//
//	for r, c := range rows x C {
//		t := a[c] * x[r][c]
//		t = FMA(b[c], y[r][c], t) // unless y is nil
//		t = FMA(c[c], z[r][c], t) // unless z is nil
//		dst[r][c] = t
//	}
//
// Subnormal numbers take a different path, which is faster and gives the same bits.
//
// flat_amd64.s depends on the order of the fields.
type flatRows struct {
	dst, x, y, z *float32
	a, b, c      *float32
	move         int // bytes to the rows of x in the next vector; 0 if they are the same
	count        int // elements of all rows, including gaps
	shape        *flatShape
}

// flatSums holds the arguments of the kernel with that name. Unless all is 1, it
// skips vectors of rows of dy that hold only +0.
//
//	for r, c, i := range rows x C x 3 {
//		sum[i][c] = FMA(dy[r][c], with[i][r][c], sum[i][c])
//	}
//
// flat_amd64.s depends on the order of the fields.
type flatSums struct {
	dy    *float32
	with  [3]*float32
	move  [3]int // from row to row of with, in bytes
	rows  int
	all   int
	shape *flatShape
	sum   [3][FlatColumns]float32
}

// flatWide holds the columns of the lanes of a vector with one row.
var flatWide = [16]int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// flatNone is a vector of zeros.
var flatNone [16]float32

// isFlat reports whether a vector has room for several rows of the stacks.
func isFlat(D, p, C, ld int) bool {
	return 0 < C && C <= ld && ld <= FlatColumns && 2*p <= D && p <= 8
}
