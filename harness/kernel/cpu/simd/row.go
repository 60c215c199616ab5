package simd

// rowTable holds the kernels over the rows of a matrix: rows times n elements,
// each operand with its own leading dimension (below 2^27), 1 <= n <= 2^24.
// Rows do not influence each other. dst may be an input if the leading dimensions agree.
//
// Within a row x the order is this (numeric contract, rule 5):
//
//	m = x[0]; for i := 1; i < n; i++ { if x[i] > m { m = x[i] } }
//	e[i] = numeric.Exp(x[i] - m)
//	s = sum(e), where sum(v) is
//	    p[i%64] += v[i], i rising, from 64 partials of +0,
//	    p[i] += p[i+half] for half = 32, 16 ... 1, i < half; the sum is p[0];
//	    of more than 4096 elements: the sums of blocks of 4096, summed likewise
//
// and every operation is rounded once. A NaN or +Inf in a row makes all its
// results NaN, and so does a row of nothing but -Inf; onehot follows the
// comparisons above.
//
// Targets are not checked: the caller sees to it that 0 <= target[r] < n.
type rowTable struct {
	// inv = 1/s; dst[i] = e[i] * inv
	Softmax func(dst, x *float32, rows, n, ldd, ldx int)

	// The gradient of y = softmax(x), from y and dy:
	// d = sum(y[i] * dy[i]); dst[i] = y[i] * (dy[i] - d)
	SoftmaxGrad func(dst, y, dy *float32, rows, n, ldd, ldy, lddy int)

	// loss[r] = log(s) - (x[target[r]] - m): the cross-entropy of softmax(x)
	// against the class target[r], in nats
	Xent func(loss, x *float32, target *int32, rows, n, ldx int)

	// The gradient of xent, from x and the dloss of each row:
	// y = e[i] * inv; if i == target[r] { y -= 1 }; dst[i] = y * dloss[r]
	XentGrad func(dst, x *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

	// xent and xentGrad at once: one exponential an element.
	XentBoth func(dst, loss, x *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

	// xentBoth of x[i] + bias[i], with a bias for each column. dst and loss do not
	// overlap bias, nor loss x.
	XentBias func(dst, loss, x, bias *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

	// dst[i] = 1 for the lowest i with x[i] == m, 0 for every other i; i = 0 if
	// x[0] is NaN
	Onehot func(dst, x *float32, rows, n, ldd, ldx int)
}
