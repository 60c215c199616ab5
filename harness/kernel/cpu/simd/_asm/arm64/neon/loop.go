package neon

import "slices"

// next is the first vector register that New has not returned.
var next V

// New returns a vector register that the routine, or the innermost Scope, has not used.
func New() V {
	if next > 31 {
		panic("neon: have 33 live vector registers, want at most 32")
	}
	next++
	return next - 1
}

// News returns n new registers.
func News(n int) []V {
	list := make([]V, n)
	for i := range list {
		list[i] = New()
	}
	return list
}

// Scope calls emit and then frees the registers that it has got from New.
func Scope(emit func()) {
	before := next
	emit()
	next = before
}

// Const returns a new register that holds a constant in every lane. It overwrites Scratch.
func Const(bits uint32) V {
	v := New()
	Constant(v, bits, Scratch)
	return v
}

// Scalar returns a new register that holds a parameter of the routine in every lane. It
// overwrites Scratch.
func Scalar(param string) V {
	v := New()
	I("MOVWU %s(FP), %v", param, Scratch)
	I("VDUP %v, %s", Scratch, v.All())
	return v
}

// Scratch is a register that some functions overwrite.
const Scratch R = 26

// Elementwise emits loops over the elements of vectors in memory, for several vectors of
// four elements at a time (the parameter unroll), then for one, and then for the last three
// elements. The registers from and to hold the addresses of the vectors that a loop reads
// and writes. They and n, the number of elements, are overwritten. The function op emits the
// operation on the registers x, one for each vector in from, and returns one for each vector
// in to. The loads of an iteration precede its stores.
func Elementwise(from, to []R, n R, unroll int, op func(x []V) []V) {
	pointers := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(from), to...))))
	block := func(u int, move string, size int) {
		Scope(func() {
			x, y := make([][]V, u), make([][]V, u)
			for k := range u {
				x[k] = News(len(from))
				for i, p := range from {
					I("%s %d(%v), %v", move, size*k, p, x[k][i])
				}
			}
			for k := range u {
				y[k] = op(x[k])
			}
			for k := range u {
				for i, p := range to {
					I("%s %v, %d(%v)", move, y[k][i], size*k, p)
				}
			}
			for _, p := range pointers {
				I("ADD $%d, %v", size*u, p)
			}
		})
	}
	for _, u := range slices.Compact([]int{unroll, 1}) {
		again, done := Fresh("loop"), Fresh("done")
		I("SUBS $%d, %v", 4*u, n)
		I("BLT %s", done)
		Label(again)
		block(u, "FMOVQ", 16)
		I("SUBS $%d, %v", 4*u, n)
		I("BGE %s", again)
		Label(done)
		I("ADD $%d, %v", 4*u, n)
	}
	for _, rest := range []struct {
		bit  int
		move string
	}{{1, "FMOVD"}, {0, "FMOVS"}} {
		done := Fresh("done")
		I("TBZ $%d, %v, %s", rest.bit, n, done)
		block(1, rest.move, 4<<rest.bit)
		Label(done)
	}
}
