package cuda

import "pushdown/harness/kernel"

// byGroup launches a kernel over groups of columns; the instruction's I[0] is the number of
// columns in a group. One thread computes a group if it has at most shortRow columns and
// the routine has a kernel for such groups. Otherwise 64 threads do. The parameter long has
// the addresses of the operands, and lds has their leading dimensions.
func (a *arena) byGroup(s *step, f *kernel.Frame, long []Pointer, lds ...uint32) {
	in := s.in
	rows, cols := in.Extents(f)
	n := in.I[0]
	count := cols / n
	if rows == 0 || count == 0 {
		return
	}
	var room [8]uint32
	short := append(append(room[:0], extent(n)), lds...)
	if n <= shortRow && len(s.fn) > 1 {
		grid, block := plane(extent(rows), extent(count), planeSize)
		a.dev.launch(s.fn[1], grid, block, long, append(short, extent(rows), extent(count)))
		return
	}
	a.dev.launch(s.fn[0], [3]uint32{extent(rows), extent(count), 1}, [3]uint32{rowThreads, 1, 1}, long, short)
}

func runSoftmax(a *arena, s *step, f *kernel.Frame) {
	d, ldd := a.arg(s.in, f, 0)
	x, ldx := a.arg(s.in, f, 1)
	a.byGroup(s, f, []Pointer{d, x}, ldd, ldx)
}

func runOneHot(a *arena, s *step, f *kernel.Frame) { runSoftmax(a, s, f) }

func runSoftmaxGrad(a *arena, s *step, f *kernel.Frame) {
	d, ldd := a.arg(s.in, f, 0)
	y, ldy := a.arg(s.in, f, 1)
	dy, lddy := a.arg(s.in, f, 2)
	a.byGroup(s, f, []Pointer{d, y, dy}, ldd, ldy, lddy)
}

// Bits that select the results of the kernel crossentropy.
const (
	wantsLoss = 1 << iota
	wantsGradient
)

func runCrossEntropy(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, cols := in.Extents(f)
	if rows == 0 {
		return
	}
	var d, loss, dloss Pointer
	var ldd, how uint32
	at := 0 // index of the next operand
	if in.Op != kernel.CrossEntropy {
		d, ldd = a.arg(in, f, at)
		how |= wantsGradient
		at++
	}
	if in.Op != kernel.CrossEntropyGrad {
		loss, _ = a.arg(in, f, at)
		how |= wantsLoss
		at++
	}
	x, ldx := a.arg(in, f, at)
	target, _ := a.arg(in, f, at+1)
	if how&wantsGradient != 0 {
		dloss, _ = a.arg(in, f, at+2)
	}
	a.dev.launch(s.fn[0], [3]uint32{extent(rows), 1, 1}, [3]uint32{rowThreads, 1, 1}, []Pointer{d, loss, x, target, dloss}, []uint32{extent(cols), ldd, ldx, how})
}

// runWeightedSum launches WeightedSum and WeightedSumGradX, whose operands have the
// same order.
func runWeightedSum(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, n := in.Extents(f)
	if rows == 0 || n == 0 || in.I[0] == 0 {
		return
	}
	d, ldd := a.arg(in, f, 0)
	w, ldw := a.arg(in, f, 1)
	x, ldx := a.arg(in, f, 2)
	grid, block := plane(extent(rows), extent(n), planeSize)
	a.dev.launch(s.fn[0], grid, block, []Pointer{d, w, x}, []uint32{extent(rows), extent(n), extent(in.I[0]), ldd, ldw, ldx})
}

func runStride(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, cols := in.Extents(f)
	if rows == 0 || cols == 0 {
		return
	}
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	grid, block := plane(extent(rows), extent(cols), planeSize)
	a.dev.launch(s.fn[0], grid, block, []Pointer{d, x}, []uint32{extent(rows), extent(cols), ldd, ldx, extent(in.I[0]), extent(in.I[1])})
}

// runGather launches Gather and ScatterRows, whose operands have the same order.
func runGather(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, cols := in.Extents(f)
	if rows == 0 || cols == 0 {
		return
	}
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	ids, _ := a.arg(in, f, 2)
	grid, block := plane(extent(rows), extent(cols), planeSize)
	a.dev.launch(s.fn[0], grid, block, []Pointer{d, x, ids}, []uint32{extent(rows), extent(cols), ldd, ldx})
}

// runScatterAdd sums the rows of x that have the same id into the row of the table with
// that id. If the table has at most f.N rows, the threads of each table row search all f.N
// ids for the id of this row. A larger table is cleared first. Then the threads of each row
// of x check whether its id occurs in an earlier row. If not, they sum all rows of x with
// this id and write the sum to the table.
func runScatterAdd(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	if in.M == 0 || in.W == 0 {
		return
	}
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	ids, _ := a.arg(in, f, 2)
	m, n, rows := extent(in.M), extent(in.W), extent(f.N)
	const size = 128
	threads := ceilPow2(n, size)
	short := []uint32{rows, n, ldd, ldx}
	if in.M <= f.N {
		a.dev.launch(s.fn[0], [3]uint32{m, ceilDiv(n, threads), 1}, [3]uint32{threads, 1, 1}, []Pointer{d, x, ids}, short)
		return
	}
	grid, block := plane(m, n, planeSize)
	a.dev.launch(s.fn[1], grid, block, []Pointer{d}, []uint32{m, n, ldd})
	if rows > 0 {
		a.dev.launch(s.fn[2], [3]uint32{rows, 1, 1}, [3]uint32{max(threads, 32), 1, 1}, []Pointer{d, x, ids}, short)
	}
}
