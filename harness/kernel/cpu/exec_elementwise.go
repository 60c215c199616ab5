package cpu

import (
	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// place returns the address of a tile's first element in operand i, and the operand's
// leading dimension.
func (a *arena) place(in *kernel.Instr, f *kernel.Frame, i int, t tile) (*float32, int) {
	p, ld := a.arg(in, f, i)
	return simd.At(p, t.r0*ld+t.c0), ld
}

func (t tile) size() (rows, cols int) { return t.r1 - t.r0, t.c1 - t.c0 }

// elementwise returns a routine for an operation. If all rows are adjacent, the
// routine treats them as one long row.
func elementwise(op kernel.Op) run {
	cost, args := 60, len(kernel.Ops[op].Args)
	switch {
	case kernel.Ops[op].Costly:
		cost = 250
	case args == 3:
		cost = 80
	}
	return split(anywhere, cost, func(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
		e := &a.dev.kernels.Vec.Op[op]
		if in.Nonzero != nil {
			t.r0, t.r1 = nonzero(in, f, t.r0, t.r1)
		}
		d, ldd := a.place(in, f, 0, t)
		x, ldx := a.place(in, f, 1, t)
		y, ldy := x, ldx
		if args == 3 {
			y, ldy = a.place(in, f, 2, t)
		}
		rows, cols := t.size()
		if rows > 1 && ldd == cols && ldx == cols && ldy == cols {
			rows, cols = 1, rows*cols
		}
		for r := range rows {
			e.Run(simd.At(d, r*ldd), simd.At(x, r*ldx), simd.At(y, r*ldy), &in.F, cols)
		}
	})
}

// lines describes the rows of a result and an operand. If all rows are adjacent, they
// count as one long row.
type lines struct {
	d, x       *float32
	rows, cols int
	ldd, ldx   int
}

func (a *arena) lines(in *kernel.Instr, f *kernel.Frame, t tile) (l lines) {
	l.d, l.ldd = a.place(in, f, 0, t)
	l.x, l.ldx = a.place(in, f, 1, t)
	l.rows, l.cols = t.size()
	if l.ldd == l.cols && l.ldx == l.cols {
		l.rows, l.cols = 1, l.rows*l.cols
	}
	return l
}

func execCopy(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	l := a.lines(in, f, t)
	a.dev.kernels.Reduce.CopyRows(l.d, l.x, l.rows, l.cols, l.ldd, l.ldx)
}

func execMulOne(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	w, _ := a.arg(in, f, 2)
	by, l := *w, a.lines(in, f, t)
	for r := range l.rows {
		a.dev.kernels.Vec.Op[kernel.Scale].Xf(simd.At(l.d, r*l.ldd), simd.At(l.x, r*l.ldx), by, l.cols)
	}
}

// nonzero returns the first row and the end of a range: the rows [r0, r1) of a gradient
// without those that, according to the instruction, are zero.
func nonzero(in *kernel.Instr, f *kernel.Frame, r0, r1 int) (int, int) {
	from, to := in.NonzeroRows(f, in.W)
	r0 = max(r0, from)
	return r0, max(r0, min(r1, to))
}

func execFill(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.place(in, f, 0, t)
	rows, cols := t.size()
	a.fill(d, in.F[0], rows, cols, ldd)
}

func (a *arena) fill(d *float32, with float32, rows, cols, ldd int) {
	if ldd == cols {
		rows, cols = 1, rows*cols
	}
	for r := range rows {
		a.dev.kernels.Vec.Fill(simd.At(d, r*ldd), with, cols)
	}
}

func execZeroTail(a *arena, in *kernel.Instr, f *kernel.Frame) {
	if f.Tail >= f.N {
		return
	}
	d, ldd := a.arg(in, f, 0)
	if in.Form == kernel.StackMajor {
		if zero := a.dev.kernels.Stack.Zero; zero != nil && ldd <= simd.FlatColumns {
			zero(simd.At(d, f.Tail*in.S), in.W, (f.N-f.Tail)*in.S, ldd)
			return
		}
		a.fill(simd.At(d, f.Tail*in.S), 0, in.W, (f.N-f.Tail)*in.S, ldd)
		return
	}
	a.fill(simd.At(d, f.Tail*ldd), 0, f.N-f.Tail, in.W, ldd)
}

func execAddRow(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.place(in, f, 0, t)
	x, ldx := a.place(in, f, 1, t)
	w, _ := a.arg(in, f, 2)
	rows, cols := t.size()
	a.dev.kernels.Reduce.AddRow(d, x, simd.At(w, t.c0), rows, cols, ldd, ldx)
}

func execMulRow(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.place(in, f, 0, t)
	x, ldx := a.place(in, f, 1, t)
	w, _ := a.arg(in, f, 2)
	rows, cols := t.size()
	a.dev.kernels.Reduce.MulRow(d, x, simd.At(w, t.c0), rows, cols, ldd, ldx)
}

// execMulCol runs a MulCol, whose column of weights may have any leading dimension.
func execMulCol(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.place(in, f, 0, t)
	x, ldx := a.place(in, f, 1, t)
	w, ldw := a.arg(in, f, 2)
	w = simd.At(w, t.r0*ldw)
	rows, cols := t.size()
	if ldw == 1 {
		a.dev.kernels.Stack.RowsBy(d, x, w, rows, cols, ldd, ldx)
		return
	}
	for r := range rows {
		a.dev.kernels.Vec.Op[kernel.Scale].Xf(simd.At(d, r*ldd), simd.At(x, r*ldx), *simd.At(w, r*ldw), cols)
	}
}

func execCopyStride(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	for r := t.r0; r < t.r1; r++ {
		for i := range t.c1 {
			*simd.At(d, r*ldd+i*in.I[0]) = *simd.At(x, r*ldx+i*in.I[1])
		}
	}
}

func execAddStride(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	for r := t.r0; r < t.r1; r++ {
		for i := range t.c1 {
			*simd.At(d, r*ldd+i*in.I[0]) += *simd.At(x, r*ldx+i*in.I[1])
		}
	}
}
