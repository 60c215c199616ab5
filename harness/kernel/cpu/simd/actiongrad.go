package simd

// ActionGradArgs is what it reads: for each of S stacks a number of each action in
// part, and the rows of n numbers a stack that they go through.
//
//	for j, i := range S x n {
//		sum[j*n+i] = part[i][j] + plus[i]            // plus: +0, or -0 of what is only copied
//		held[j*n+i] = clip(sum[j*n+i], heldLo, heldHi)
//		dx[j*n+i] = y[j*n+i] * (held[j*n+i] - s)     // s: the sum over i of y*held, as a row's
//		out[j*n+i] = clip(dx[j*n+i], outLo, outHi)
//	}
//
// held may be sum, and out dx. actiongrad_amd64.s knows the order of the fields.
type ActionGradArgs struct {
	Part           [4]*float32
	Plus           [4]float32
	Sum, Held      *float32
	Y, Dx, Out     *float32
	S              int
	HeldLo, HeldHi float32
	OutLo, OutHi   float32
}

// An Adder adds a row of numbers, those of a stack side by side, to the first rows
// of stacks:
//
//	for r, c := range rows x cols {
//		t[r*ldt+c] = x[c*rows+r]
//		d[r*ldd+c] = clip(d[r*ldd+c] + t[r*ldt+c], lo, hi)
//	}
type Adder = func(d, t, x *float32, rows, cols, ldd, ldt int, lo, hi float32)

// actionGradTable is what an instruction set has for both; nil: nothing, and the
// instructions run one by one.
type actionGradTable struct {
	Softmax [5]func(a *ActionGradArgs) // of n actions
	Add     Adder
}
