package simd

// ActionGradArgs holds the arguments of an action gradient: for each of S stacks one
// number for each action in part, and rows with n numbers for each stack.
//
//	for j, i := range S x n {
//		sum[j*n+i] = part[i][j] + plus[i]            // plus: +0, or -0 of what is only copied
//		held[j*n+i] = clip(sum[j*n+i], heldLo, heldHi)
//		dx[j*n+i] = y[j*n+i] * (held[j*n+i] - s)     // s: the sum over i of y*held, as a row's
//		out[j*n+i] = clip(dx[j*n+i], outLo, outHi)
//	}
//
// held may be sum, and out may be dx. actiongrad_amd64.s depends on the order of the
// fields.
type ActionGradArgs struct {
	Part           [4]*float32
	Plus           [4]float32
	Sum, Held      *float32
	Y, Dx, Out     *float32
	S              int
	HeldLo, HeldHi float32
	OutLo, OutHi   float32
}

// An Adder adds a row, in which the numbers of a stack are adjacent, to the first
// rows of stacks:
//
//	for r, c := range rows x cols {
//		t[r*ldt+c] = x[c*rows+r]
//		d[r*ldd+c] = clip(d[r*ldd+c] + t[r*ldt+c], lo, hi)
//	}
type Adder = func(d, t, x *float32, rows, cols, ldd, ldt int, lo, hi float32)

// actionGradTable holds both routines of an instruction set. If one is nil, the
// caller runs the instructions one by one.
type actionGradTable struct {
	Softmax [5]func(a *ActionGradArgs) // by the number of actions
	Add     Adder
}
