package simd

// rowTable holds the kernels that run along rows. A matrix has rows by n elements, and each
// operand has its own leading dimension (below 2^27); 1 <= n <= 2^24. Rows are independent.
// dst may be the same matrix as an input if both have the same leading dimension.
//
// Within a row x the order of operations is that of sums along a row in the numeric
// contract:
//
//	m = x[0]; for i := 1; i < n; i++ { if x[i] > m { m = x[i] } }
//	e[i] = numeric.Exp(x[i] - m)
//	s = sum(e), where sum(v) is
//	    p[i%64] += v[i], i increasing, from 64 partials of +0,
//	    p[i] += p[i+half] for half = 32, 16 ... 1, i < half; the sum is p[0];
//	    for more than 4096 elements: the sums of blocks of 4096, summed likewise
//
// and every operation is rounded once. A NaN or +Inf in a row makes all its results
// NaN, and so does a row of only -Inf. Onehot follows the comparisons above.
//
// Targets are not checked. The caller must ensure that 0 <= target[r] < n.
type rowTable struct {
	// Softmax computes dst[i] = e[i] * inv, where inv = 1/s.
	Softmax func(dst, x *float32, rows, n, ldd, ldx int)

	// SoftmaxGrad is the gradient of y = softmax(x), from y and dy:
	// d = sum(y[i] * dy[i]); dst[i] = y[i] * (dy[i] - d)
	SoftmaxGrad func(dst, y, dy *float32, rows, n, ldd, ldy, lddy int)

	// Xent is the cross-entropy of softmax(x) against the class target[r], in nats:
	// loss[r] = log(s) - (x[target[r]] - m)
	Xent func(loss, x *float32, target *int32, rows, n, ldx int)

	// XentBoth is Xent and its gradient, from x and the dloss of each row:
	// y = e[i] * inv; if i == target[r] { y -= 1 }; dst[i] = y * dloss[r]
	XentBoth func(dst, loss, x *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

	// XentBias is XentBoth of x[i] + bias[i], with a bias for each column. dst and loss must not
	// overlap bias, and loss must not overlap x.
	XentBias func(dst, loss, x, bias *float32, target *int32, dloss *float32, rows, n, ldd, ldx int)

	// Onehot sets dst[i] = 1 for the lowest i with x[i] == m, or for i = 0 if x[0] is
	// NaN. It sets dst[i] = 0 for every other i.
	Onehot func(dst, x *float32, rows, n, ldd, ldx int)
}
