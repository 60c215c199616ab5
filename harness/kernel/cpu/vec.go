package cpu

// vecTable holds the elementwise kernels over n contiguous elements. Each
// element depends on its own inputs alone, so the order is free; what is fixed
// are the operations of one element, every one of them rounded once, to
// nearest even. dst may be an input; n may be 0.
//
// sigmoid and tanh are the sequences of harness/numeric, which states their
// error bounds and special cases.
type vecTable struct {
	add func(dst, a, b *float32, n int) // dst[i] = a[i] + b[i]
	sub func(dst, a, b *float32, n int) // dst[i] = a[i] - b[i]
	mul func(dst, a, b *float32, n int) // dst[i] = a[i] * b[i]

	scale func(dst, a *float32, s float32, n int) // dst[i] = a[i] * s
	fill  func(dst *float32, s float32, n int)    // dst[i] = s

	neg      func(dst, x *float32, n int) // dst[i] = -x[i]: the sign bit, of zeros too
	oneMinus func(dst, x *float32, n int) // dst[i] = 1 - x[i]
	sigmoid  func(dst, x *float32, n int) // dst[i] = numeric.Sigmoid(x[i])
	tanh     func(dst, x *float32, n int) // dst[i] = numeric.Tanh(x[i])

	// The gradients of y = sigmoid(x) and y = tanh(x), from y and dy.
	sigmoidGrad func(dst, y, dy *float32, n int) // dst[i] = dy[i] * (y[i] * (1 - y[i]))
	// sigmoidGradClip is sigmoidGrad and then clip.
	sigmoidGradClip func(dst, y, dy *float32, lo, hi float32, n int)
	tanhGrad        func(dst, y, dy *float32, n int) // dst[i] = dy[i] * fma(-y[i], y[i], 1)

	// if x[i] < lo { dst[i] = lo } else if x[i] > hi { dst[i] = hi } else { dst[i] = x[i] }
	// NaN stays NaN, and -0 against a bound of 0 stays -0; lo <= hi.
	clip func(dst, x *float32, lo, hi float32, n int)

	// if x[i] > bound { dst[i] = 1 } else { dst[i] = 0 }
	threshold func(dst, x *float32, bound float32, n int)
	// dst[i] = |x[i]| < least ? +0 : x[i]
	drop func(dst, x *float32, least float32, n int)
}
