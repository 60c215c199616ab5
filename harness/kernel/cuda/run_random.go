package cuda

import (
	"math"

	"pushdown/harness/kernel"
)

// dropLeast returns the smallest random word for which dropout keeps an element. rate
// must be below 1.
func dropLeast(rate float32) uint32 {
	return uint32(max(0, math.Ceil(float64(rate)*(1<<24)))) << 8
}

// runDropout launches dropout. At a rate of 1 or more it clears the result instead,
// because every element is dropped.
func runDropout(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, cols := in.Extents(f)
	if rows == 0 || cols == 0 {
		return
	}
	d, ldd := a.arg(in, f, 0)
	rate := in.F[0]
	if !(rate < 1) {
		grid, block := plane(extent(rows), extent(cols), planeSize)
		a.dev.launch(s.fn[1], grid, block, []Pointer{d}, []uint32{extent(rows), extent(cols), ldd})
		return
	}
	keep := float32(1 / (1 - float64(rate)))
	a.random(s, f, planeSize, dropLeast(rate), math.Float32bits(keep))
}

func runNoise(a *arena, s *step, f *kernel.Frame) {
	if rows, cols := s.in.Extents(f); rows == 0 || cols == 0 {
		return
	}
	a.random(s, f, 128, math.Float32bits(s.in.F[0]), math.Float32bits(s.in.F[1]))
}

// random launches the kernel of dropout or noise, with blocks of at most size threads. Each
// thread computes four columns from the four words of one Philox block. The last two
// parameters are the last two arguments of the kernel.
func (a *arena) random(s *step, f *kernel.Frame, size, first, second uint32) {
	in := s.in
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	coord, ldc := a.arg(in, f, 2)
	grid, block := plane(extent(rows), extent((cols+3)/4), size)
	a.dev.launch(s.fn[0], grid, block, []Pointer{d, x, coord},
		[]uint32{extent(rows), extent(cols), ldd, ldx, ldc, uint32(in.I[0]), uint32(in.I[1]), first, second})
}
