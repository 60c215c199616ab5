package simd

// ActionGradArgs holds the arguments of a routine for S stacks, each of which weights n
// actions by a softmax. The routine puts the gradients of the actions side by side and
// computes the gradient of the softmax from them. part[i] holds the gradient of action i,
// one number for each stack. plus[i] is -0 if this gradient is copied, and +0 if it is added
// to a zero, which turns -0 into +0. The other operands have n numbers for each stack, one
// for each action.
//
//	for j, i := range S x n {
//		sum[j*n+i] = part[i][j] + plus[i]
//		held[j*n+i] = clip(sum[j*n+i], heldLo, heldHi)
//		dx[j*n+i] = y[j*n+i] * (held[j*n+i] - s)     // s: sum over i of y*held, like a sum along a row
//		out[j*n+i] = clip(dx[j*n+i], outLo, outHi)
//	}
//
// Held may be the same memory as Sum, and Out may be the same memory as Dx.
// actiongrad_amd64.s depends on the order of the fields.
type ActionGradArgs struct {
	Part           [4]*float32
	Plus           [4]float32
	Sum, Held      *float32
	Y, Dx, Out     *float32
	S              int
	HeldLo, HeldHi float32
	OutLo, OutHi   float32
}

// An Adder adds x to the first rows of the stacks d, clips these rows, and stores the
// transpose of x in t. A stack is a column of d and of t. In x, the numbers of a stack are
// adjacent:
//
//	for r, c := range rows x cols {
//		t[r*ldt+c] = x[c*rows+r]
//		d[r*ldd+c] = clip(d[r*ldd+c] + t[r*ldt+c], lo, hi)
//	}
type Adder = func(d, t, x *float32, rows, cols, ldd, ldt int, lo, hi float32)

// actionGradTable holds routines of an instruction set that each do the work of several
// instructions of the scan. If a routine is nil, the caller runs these instructions one
// by one.
type actionGradTable struct {
	Softmax [5]func(a *ActionGradArgs) // by the number of actions
	Add     Adder
}
