package cpu

import (
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

func execRowDot(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, _ := a.arg(in, f, 0)
	x, ldx := a.place(in, f, 1, t)
	y, ldy := a.place(in, f, 2, t)
	rows, cols := t.size()
	a.dev.kernels.Stack.RowDot(simd.At(d, t.r0), x, y, rows, cols, ldx, ldy)
}

func execColSum(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, _ := a.arg(in, f, 0)
	x, ldx := a.place(in, f, 1, t)
	rows, cols := t.size()
	a.dev.kernels.Reduce.ColSum(simd.At(d, t.c0), x, rows, cols, ldx, f.Continues)
}

// execSumSquares sums the squares of all elements. It divides the elements into blocks.
// The sum of each block is added to one of 64 partial sums, and each thread computes
// some of the partial sums.
func execSumSquares(a *arena, in *kernel.Instr, f *kernel.Frame) {
	d, _ := a.arg(in, f, 0)
	x, _ := a.arg(in, f, 1)
	n, s := in.M*in.W, a.dev.share
	if n*squareCost < 2*s.least || n <= simd.SumBlock {
		*d = a.dev.kernels.Reduce.SumSquares(x, n)
		return
	}
	const most = simd.SumBlock * simd.SumBlock // more elements have more than SumBlock blocks, which are summed in blocks again
	if n <= most {
		*d = s.sumSquares(a, in, f, tile{c1: n})
		return
	}
	var part [64]float32
	for i, from := 0, 0; from < n; i, from = i+1, from+most {
		part[i%64] += s.sumSquares(a, in, f, tile{c0: from, c1: min(n, from+most)})
	}
	*d = simd.Fold64(&part)
}

const squareCost = 60

// sumSquares returns the sum of squares of the elements [t.c0, t.c1), computed in
// blocks.
func (s *share) sumSquares(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) float32 {
	if t.c1-t.c0 <= simd.SumBlock {
		x, _ := a.arg(in, f, 1)
		return a.dev.kernels.Reduce.SumSquares(simd.At(x, t.c0), t.c1-t.c0)
	}
	s.elements = t
	s.run(a, in, f, tile{r1: 64, c1: 1}, alongRows, (t.c1-t.c0)*squareCost, partSquares)
	return simd.Fold64(&s.sums)
}

// partSquares computes the partial sums share.sums[t.r0:t.r1].
func partSquares(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	s := a.dev.share
	x, _ := a.arg(in, f, 1)
	for r := t.r0; r < t.r1; r++ {
		s.sums[r] = 0
	}
	for round := s.elements.c0; round < s.elements.c1; round += 64 * simd.SumBlock {
		for r := t.r0; r < t.r1; r++ {
			if from := round + r*simd.SumBlock; from < s.elements.c1 {
				s.sums[r] += a.dev.kernels.Reduce.SumSquares(simd.At(x, from), min(simd.SumBlock, s.elements.c1-from))
			}
		}
	}
}
