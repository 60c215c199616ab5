package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// update returns a routine that runs fn on all elements of an instruction as one row.
func update(cost int, fn tiled) run {
	return func(a *arena, in *kernel.Instr, f *kernel.Frame) {
		t := tile{r1: 1, c1: in.M * in.W}
		if work := t.c1 * cost; work >= 2*a.dev.share.least {
			a.dev.share.run(a, in, f, t, alongCols, work, fn)
			return
		}
		fn(a, in, f, t)
	}
}

func execSGD(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	w, _ := a.place(in, f, 0, t)
	dw, _ := a.place(in, f, 1, t)
	lr, _ := a.arg(in, f, 2)
	a.dev.kernels.Optim.Sgd(w, dw, *lr, t.c1-t.c0)
}

func execAdam(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	w, _ := a.place(in, f, 0, t)
	m, _ := a.place(in, f, 1, t)
	v, _ := a.place(in, f, 2, t)
	dw, _ := a.place(in, f, 3, t)
	s, _ := a.arg(in, f, 4)
	h := (*simd.AdamScalars)(unsafe.Pointer(s)) // the scalars are in the order of the struct's fields
	a.dev.kernels.Optim.Adam(w, m, v, dw, t.c1-t.c0, h)
}
