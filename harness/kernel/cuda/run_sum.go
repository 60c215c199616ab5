package cuda

import "pushdown/harness/kernel"

func runRowDot(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, n := in.Extents(f)
	d, _ := a.arg(in, f, 0)
	a.rowDots(s, f, d, 1, rows, 1, n)
}

// runWeightedSumGradW computes the gradient of the weights of a weighted sum. Each row of x
// consists of I[0] blocks of columns with one weight each. In each row, the gradient of a
// weight is the inner product of its block with dy.
func runWeightedSumGradW(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, n := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	a.rowDots(s, f, d, ldd, rows, in.I[0], n)
}

// rowDots computes inner products. Each row of operand 1 is divided into blocks of n
// columns; the parameter count is the number of blocks. The result has the inner product of
// each block with the same row of operand 2.
func (a *arena) rowDots(s *step, f *kernel.Frame, d Pointer, ldd uint32, rows, count, n int) {
	if rows == 0 || count == 0 {
		return
	}
	x, ldx := a.arg(s.in, f, 1)
	y, ldy := a.arg(s.in, f, 2)
	if n <= shortRow {
		grid, block := plane(extent(rows), extent(count), planeSize)
		a.dev.launch(s.fn[1], grid, block, []Pointer{d, x, y}, []uint32{extent(n), ldd, ldx, ldy, extent(rows), extent(count)})
		return
	}
	a.dev.launch(s.fn[0], [3]uint32{extent(rows), extent(count), 1}, [3]uint32{rowThreads, 1, 1}, []Pointer{d, x, y}, []uint32{extent(n), ldd, ldx, ldy})
}

const (
	shortRow   = 8    // largest number of elements of a row that one thread sums
	rowThreads = 64   // number of threads that sum a longer row, one for each partial sum
	sumLeaf    = 4096 // number of elements of a block of a row
)

func runColSum(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, cols := in.Extents(f)
	if cols == 0 || f.Continues && rows == 0 {
		return
	}
	d, _ := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	again := uint32(0)
	if f.Continues {
		again = 1
	}
	grid, block := plane(1, extent(cols), planeSize)
	a.dev.launch(s.fn[0], grid, block, []Pointer{d, x}, []uint32{extent(rows), extent(cols), ldx, again})
}

// sumScratch returns the number of words for the sums of all blocks of elements, which
// the first launch of runSumSquares computes.
func sumScratch(in *kernel.Instr) int { return (in.M*in.W + sumLeaf - 1) / sumLeaf }

// runSumSquares sums the squares of each block of elements. It then sums blocks of
// these sums in the same way, until one sum is left.
func runSumSquares(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	d, _ := a.arg(in, f, 0)
	from, _ := a.arg(in, f, 1)
	fn, n := s.fn[0], in.M*in.W
	for half := 0; ; half++ {
		blocks := max(1, (n+sumLeaf-1)/sumLeaf)
		to := d
		if blocks > 1 {
			to = s.scratch + 4*Pointer(half%2*s.half)
		}
		a.dev.launch(fn, [3]uint32{extent(blocks), 1, 1}, [3]uint32{rowThreads, 1, 1}, []Pointer{to, from, Pointer(n)}, nil)
		if blocks == 1 {
			return
		}
		fn, from, n = s.fn[1], to, blocks
	}
}
