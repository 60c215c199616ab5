package cpu

import (
	"math"
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// execToStackMajor transposes its operand. A row of the operand holds all stacks of a
// string, so adjacent rows form one matrix with a row for each stack.
func execToStackMajor(a *arena, in *kernel.Instr, f *kernel.Frame) {
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	switch {
	case in.S == 1:
		a.dev.kernels.Stack.Transpose(d, x, f.N, in.W, ldd, ldx)
	case ldx == in.S*in.W:
		a.dev.kernels.Stack.Transpose(d, x, f.N*in.S, in.W, ldd, in.W)
	default:
		for b := range f.N {
			a.dev.kernels.Stack.Transpose(simd.At(d, b*in.S), simd.At(x, b*ldx), in.S, in.W, ldd, in.W)
		}
	}
}

func execFromStackMajor(a *arena, in *kernel.Instr, f *kernel.Frame) {
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	switch {
	case in.S == 1:
		a.dev.kernels.Stack.Transpose(d, x, in.W, f.N, ldd, ldx)
	case ldd == in.S*in.W:
		a.dev.kernels.Stack.Transpose(d, x, in.W, f.N*in.S, in.W, ldx)
	default:
		for b := range f.N {
			a.dev.kernels.Stack.Transpose(simd.At(d, b*ldd), simd.At(x, b*in.S), in.W, in.S, in.W, ldx)
		}
	}
}

func execScaleCols(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	w, _ := a.arg(in, f, 2)
	a.dev.kernels.Stack.ScaleCols(d, x, w, rows, cols, ldd, ldx)
}

// execColDot computes the sum of x*y over the rows of each column, in chunks of rows, as a
// product does. It uses the kernel for the gradient of a step of stacks, with x as the
// gradient and y as the stack: the gradient of the no-op weight is then this sum.
func execColDot(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, _ := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	y, ldy := a.arg(in, f, 2)
	if rows == 0 {
		clear(unsafe.Slice(d, cols))
		return
	}
	grad := a.dev.kernels.Stack.Grad
	if from, to := in.NonzeroRows(f, rows); to-from < rows && from < to && from/simd.GemmChunk == (to-1)/simd.GemmChunk {
		part, by, n := simd.At(x, from*ldx), simd.At(y, from*ldy), to-from
		grad(nil, nil, nil, d, nil, part, by, part, part, part, part, n, n, 1, cols, 0, 0, ldx, ldy, 0, 0)
		if all := a.minus0(cols, d, nil, nil); all[0] != nil {
			grad(nil, nil, nil, all[0], nil, x, y, x, x, x, x, rows, rows, 1, cols, 0, 0, ldx, ldy, 0, 0)
			replaceMinus0(cols, all, d, nil, nil)
		}
		return
	}
	grad(nil, nil, nil, d, nil, x, y, x, x, x, x, rows, rows, 1, cols, 0, 0, ldx, ldy, 0, 0)
}

func execStack(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, cols := in.Extents(f)
	d, ldd := a.arg(in, f, 0)
	s, lds := a.arg(in, f, 1)
	push, _ := a.arg(in, f, 2)
	pop, _ := a.arg(in, f, 3)
	noop, _ := a.arg(in, f, 4)
	v, ldv := a.arg(in, f, 5)
	step, p := a.dev.kernels.Stack.Step, in.I[0]
	top, bottom := in.NonzeroStackRows(f, rows)
	step(d, s, push, pop, noop, v, top, p, cols, ldd, lds, ldv, in.F[0])
	if bottom < rows { // for the rows at the bottom, the cell above replaces the pushed one
		step(simd.At(d, bottom*ldd), simd.At(s, bottom*lds), push, pop, noop, simd.At(s, (bottom-p)*lds), rows-bottom, p, cols, ldd, lds, lds, in.F[0])
	}
}

func execStackGrad(a *arena, in *kernel.Instr, f *kernel.Frame) {
	_, cols := in.Extents(f)
	ds, ldds := a.arg(in, f, 0)
	dpush, _ := a.arg(in, f, 1)
	dpop, _ := a.arg(in, f, 2)
	dnoop, _ := a.arg(in, f, 3)
	dv, lddv := a.arg(in, f, 4)
	dy, lddy := a.arg(in, f, 5)
	s, lds := a.arg(in, f, 6)
	push, _ := a.arg(in, f, 7)
	pop, _ := a.arg(in, f, 8)
	noop, _ := a.arg(in, f, 9)
	v, ldv := a.arg(in, f, 10)
	gradOfStacks(a, in, f, ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v, cols, ldds, lddv, lddy, lds, ldv)
}

// gradOfStacks computes the gradient of a step of stacks in cols columns.
func gradOfStacks(a *arena, in *kernel.Instr, f *kernel.Frame, ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v *float32, cols, ldds, lddv, lddy, lds, ldv int) {
	rows := in.W
	_, reach := in.NonzeroRows(f, rows)
	reach = max(min(reach, rows-in.I[0]), 0) + in.I[0]
	grad, part := a.dev.kernels.Stack.Grad, reach < rows
	near := grad
	if in.Nonzero != nil && a.dev.kernels.Stack.Sparse != nil {
		near, part = a.dev.kernels.Stack.Sparse, true
	}
	near(ds, dpush, dpop, dnoop, dv, dy, s, push, pop, noop, v, rows, reach, in.I[0], cols, ldds, lddv, lddy, lds, ldv, in.F[0])
	if !part {
		return
	}
	if all := a.minus0(cols, dpush, dpop, dnoop); all != [3]*float32{} {
		grad(nil, all[0], all[1], all[2], nil, dy, s, push, pop, noop, v, rows, rows, in.I[0], cols, ldds, lddv, lddy, lds, ldv, in.F[0])
		replaceMinus0(cols, all, dpush, dpop, dnoop)
	}
}

// minus0 returns memory for the sums of all terms if one of these sums, which may be absent, is -0, and else nil. See hasMinus0.
func (a *arena) minus0(n int, x, y, z *float32) (all [3]*float32) {
	if !hasMinus0(x, n) && !hasMinus0(y, n) && !hasMinus0(z, n) {
		return all
	}
	for i, sums := range [3]*float32{x, y, z} {
		if sums != nil {
			all[i] = simd.Grow(&a.dev.sums[i], n)
		}
	}
	return all
}

// replaceMinus0 replaces the sums that are -0 by those of all terms. It leaves the others: if a stack is infinite or NaN, the sum
// of all terms is NaN where the other one need not be, and which sums are computed together depends on the number of threads.
func replaceMinus0(n int, all [3]*float32, x, y, z *float32) {
	for i, sums := range [3]*float32{x, y, z} {
		if sums == nil {
			continue
		}
		for j := range n {
			if sum := simd.At(sums, j); math.Float32bits(*sum) == 1<<31 {
				*sum = *simd.At(all[i], j)
			}
		}
	}
}

// hasMinus0 reports whether one of n sums is -0. It is called after terms of +0 have been
// left out of the sums. Adding +0 changes no number except -0, which becomes +0. So if no
// sum is -0, the sums are right; otherwise they must be computed again with all terms.
func hasMinus0(sums *float32, n int) bool {
	if sums == nil {
		return false
	}
	for _, bits := range unsafe.Slice((*uint32)(unsafe.Pointer(sums)), n) {
		if bits == 1<<31 {
			return true
		}
	}
	return false
}
