package simd

// A batch of few strings has few stacks, and each stack is a column. One vector then has
// room for several rows. A step of the stacks computes all rows of a vector at the same
// time: they are a weighted sum of up to three vectors. The sums over the rows, however,
// must add one row after the other. They use vectors of several rows only to find rows of
// zeros, which need not be added.

// FlatColumns is the largest number of columns, and the largest distance between
// rows, of a flat stack.
const FlatColumns = 8

// flatShape describes the contents of one vector: whole rows, which have C columns each and
// start ld elements apart.
type flatShape struct {
	column [16]int32 // the column of each lane, 0 in gaps
	mask   uint64    // lanes outside gaps
	first  uint64    // the first C lanes
	lanes  int       // lanes of the rows, including gaps
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

// flatRows holds the arguments of flatRowsAVX512. The field shape describes the row distance
// and the columns of all matrices.
//
//	for r, j := range rows x C {
//		t := a[j] * x[r][j]
//		t = FMA(b[j], y[r][j], t) // unless y is nil
//		t = FMA(c[j], z[r][j], t) // unless z is nil
//		dst[r][j] = t
//	}
//
// Vectors with subnormal numbers take a different path, which is faster for them and
// gives the same bits.
//
// flat_amd64.s depends on the order of the fields.
type flatRows struct {
	dst, x, y, z *float32
	a, b, c      *float32
	move         int // bytes from one vector of x to the next; 0 to use the same vector for all rows
	count        int // elements of all rows, including gaps
	shape        *flatShape
}

// flatSums holds the arguments of flatSumsAVX512. The kernel skips vectors of dy that hold
// only +0, unless the field all is 1.
//
//	for r, c, i := range rows x C x 3 {
//		sum[i][c] = FMA(dy[r][c], with[i][r][c], sum[i][c])
//	}
//
// flat_amd64.s depends on the order of the fields.
type flatSums struct {
	dy    *float32
	with  [3]*float32
	move  [3]int // bytes from row to row of each matrix in with
	rows  int
	all   int
	shape *flatShape
	sum   [3][FlatColumns]float32
}

// flatWide plays the part of flatShape.column for a vector that holds part of a single row.
var flatWide = [16]int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// flatNone is a vector of zeros.
var flatNone [16]float32

// isFlat reports whether stacks are flat: a vector has room for several of their rows.
// They must also have at least two cells, of at most eight rows each.
func isFlat(D, p, C, ld int) bool {
	return 0 < C && C <= ld && ld <= FlatColumns && 2*p <= D && p <= 8
}
