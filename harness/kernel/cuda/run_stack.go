package cuda

import (
	"math"

	"pushdown/harness/kernel"
)

// runStackMajor launches ToStackMajor or FromStackMajor. Both have the same operands,
// the result first and then the input.
func runStackMajor(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	if f.N*in.S == 0 || in.W == 0 {
		return
	}
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	grid, block := plane(extent(in.W), extent(f.N*in.S), planeSize)
	a.dev.launch(s.fn[0], grid, block, []Pointer{d, x}, []uint32{extent(in.W), extent(in.S), extent(f.N), ldd, ldx})
}

func runColDot(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, cols := in.Extents(f)
	if cols == 0 {
		return
	}
	d, _ := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	y, ldy := a.arg(in, f, 2)
	grid, block := plane(1, extent(cols), planeSize)
	a.dev.launch(s.fn[0], grid, block, []Pointer{d, x, y}, []uint32{extent(rows), extent(cols), ldx, ldy})
}

func runStack(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, cols := in.Extents(f)
	if rows == 0 || cols == 0 {
		return
	}
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	push, _ := a.arg(in, f, 2)
	pop, _ := a.arg(in, f, 3)
	noop, _ := a.arg(in, f, 4)
	v, ldv := a.arg(in, f, 5)
	grid, block := plane(extent(rows), extent(cols), planeSize)
	a.dev.launch(s.fn[0], grid, block, []Pointer{d, x, push, pop, noop, v},
		[]uint32{extent(rows), extent(cols), extent(in.I[0]), ldd, ldx, ldv, math.Float32bits(in.F[0]), present(in, 4)})
}

// present returns 1 if in has operand i, else 0.
func present(in *kernel.Instr, i int) uint32 {
	if in.Args[i].Slot == kernel.Absent {
		return 0
	}
	return 1
}

func runStackGrad(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, cols := in.Extents(f)
	if cols == 0 {
		return
	}
	dy, lddy := a.arg(in, f, 5)
	x, ldx := a.arg(in, f, 6)
	push, _ := a.arg(in, f, 7)
	pop, _ := a.arg(in, f, 8)
	noop, _ := a.arg(in, f, 9)
	v, ldv := a.arg(in, f, 10)
	depth, width, w := extent(rows), extent(cols), extent(in.I[0])
	if present(in, 0) == 1 && rows > 0 {
		ds, ldds := a.arg(in, f, 0)
		grid, block := plane(depth, width, planeSize)
		a.dev.launch(s.fn[0], grid, block, []Pointer{ds, dy, push, pop, noop}, []uint32{depth, width, w, ldds, lddy, present(in, 9)})
	}
	if wanted := present(in, 1) | present(in, 2)<<1 | present(in, 3)<<2; wanted != 0 {
		dpush, _ := a.arg(in, f, 1)
		dpop, _ := a.arg(in, f, 2)
		dnoop, _ := a.arg(in, f, 3)
		grid, block := plane(1, width, planeSize)
		a.dev.launch(s.fn[1], grid, block, []Pointer{dpush, dpop, dnoop, dy, x, v}, []uint32{depth, width, w, lddy, ldx, ldv, math.Float32bits(in.F[0]), wanted})
	}
	if present(in, 4) == 1 && rows > 0 {
		dv, lddv := a.arg(in, f, 4)
		grid, block := plane(w, width, planeSize)
		a.dev.launch(s.fn[2], grid, block, []Pointer{dv, dy, push}, []uint32{w, width, lddv, lddy})
	}
}
