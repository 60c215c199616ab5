package cuda

import "pushdown/harness/kernel"

func runSGD(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	n := in.M * in.W
	if n == 0 {
		return
	}
	w, _ := a.arg(in, f, 0)
	dw, _ := a.arg(in, f, 1)
	lr, _ := a.arg(in, f, 2)
	grid, block := flat(n)
	a.dev.launch(s.fn[0], grid, block, []Pointer{w, dw, lr, Pointer(n)}, nil)
}

func runAdam(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	n := in.M * in.W
	if n == 0 {
		return
	}
	w, _ := a.arg(in, f, 0)
	m, _ := a.arg(in, f, 1)
	v, _ := a.arg(in, f, 2)
	dw, _ := a.arg(in, f, 3)
	h, _ := a.arg(in, f, 4)
	grid, block := flat(n)
	a.dev.launch(s.fn[0], grid, block, []Pointer{w, m, v, dw, h, Pointer(n)}, nil)
}
