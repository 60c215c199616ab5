package cuda

import (
	"math"

	"pushdown/harness/kernel"
)

func runList(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, cols := in.Extents(f)
	if rows == 0 || cols == 0 {
		return
	}
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	left, _ := a.arg(in, f, 2)
	right, _ := a.arg(in, f, 3)
	insert, _ := a.arg(in, f, 4)
	noop, _ := a.arg(in, f, 5)
	v, ldv := a.arg(in, f, 6)
	grid, block := plane(extent(rows), extent(cols), planeSize)
	a.dev.launch(s.fn[0], grid, block, []Pointer{d, x, left, right, insert, noop, v},
		[]uint32{extent(rows), extent(cols), extent(in.I[0]), extent(in.I[1]), ldd, ldx, ldv, math.Float32bits(in.F[0]), present(in, 5)})
}

func runListGrad(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, cols := in.Extents(f)
	if cols == 0 {
		return
	}
	dy, lddy := a.arg(in, f, 4)
	x, ldx := a.arg(in, f, 5)
	left, _ := a.arg(in, f, 6)
	right, _ := a.arg(in, f, 7)
	insert, _ := a.arg(in, f, 8)
	noop, _ := a.arg(in, f, 9)
	v, ldv := a.arg(in, f, 10)
	depth, width, w, head := extent(rows), extent(cols), extent(in.I[0]), extent(in.I[1])
	if present(in, 0) == 1 && rows > 0 {
		ds, ldds := a.arg(in, f, 0)
		grid, block := plane(depth, width, planeSize)
		a.dev.launch(s.fn[0], grid, block, []Pointer{ds, dy, left, right, insert, noop}, []uint32{depth, width, w, head, ldds, lddy, present(in, 9)})
	}
	if wanted := present(in, 1) | present(in, 2)<<1 | present(in, 3)<<2; wanted != 0 {
		dleft, _ := a.arg(in, f, 1)
		dright, _ := a.arg(in, f, 2)
		dinsert, _ := a.arg(in, f, 3)
		grid, block := plane(1, width, planeSize)
		a.dev.launch(s.fn[1], grid, block, []Pointer{dleft, dright, dinsert, dy, x, v},
			[]uint32{depth, width, w, head, lddy, ldx, ldv, math.Float32bits(in.F[0]), wanted})
	}
}
