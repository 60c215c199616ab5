package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

func execGather(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.place(in, f, 0, t)
	table, ldt := a.arg(in, f, 1)
	ids, _ := a.arg(in, f, 2)
	rows, cols := t.size()
	a.dev.kernels.Reduce.Gather(d, table, i32(simd.At(ids, t.r0)), rows, cols, ldd, ldt)
}

func execScatterRows(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.place(in, f, 1, t)
	ids, _ := a.arg(in, f, 2)
	rows, cols := t.size()
	a.dev.kernels.Reduce.ScatterRows(d, x, i32(simd.At(ids, t.r0)), rows, cols, ldd, ldx)
}

// execScatterAdd splits the rows of the table among threads. The work for a row of the
// table counts as one plus the number of rows that are added to it.
func execScatterAdd(a *arena, in *kernel.Instr, f *kernel.Frame) {
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	ids, _ := a.arg(in, f, 2)
	scratch, _ := a.arg(in, f, 3)
	k, s := &a.dev.kernels.Reduce, a.dev.share
	work := (in.M + f.N) * in.W * scatterCost
	if work < 2*s.least || in.W == 1 {
		k.ScatterAdd(d, x, i32(ids), f.N, in.W, in.M, ldd, ldx, i32(scratch))
		return
	}
	simd.SortByID(unsafe.Slice(i32(ids), f.N), unsafe.Slice(i32(scratch), in.M+f.N), in.M)
	s.run(a, in, f, tile{r1: in.M + f.N, c1: in.W}, alongRows, work, scatterPart)
}

const scatterCost = 60

// scatterPart computes some rows of the table. Take a list that has each row of the table,
// followed by the rows of dy that are added to it. scatterPart computes the table rows whose
// positions in this list are in [t.r0, t.r1), so parts of equal size have about equal work.
func scatterPart(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	d, ldd := a.arg(in, f, 0)
	x, ldx := a.arg(in, f, 1)
	scratch, _ := a.arg(in, f, 3)
	sorted := unsafe.Slice(i32(scratch), in.M+f.N)
	from, to := simd.ScatterRow(sorted[:in.M], t.r0), simd.ScatterRow(sorted[:in.M], t.r1)
	simd.ScatterSorted(a.dev.kernels.Reduce.SumRows, d, x, sorted, from, to, in.W, in.M, ldd, ldx)
}
