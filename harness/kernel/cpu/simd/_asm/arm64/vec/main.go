// Command vec writes vec_arm64.s, the elementwise kernels. package simd declares what they
// compute.
//
//	go run ./arm64/vec -out ../vec_arm64.s
package main

import . "pushdown/harness/kernel/cpu/simd/asm/arm64/neon"

func main() {
	// Add computes dst[i] = a[i] + b[i]. Sub and Mul are alike.
	two("Add", "a", "b", 4, func() func(x, y V) { return func(x, y V) { FAdd(x, x, y) } })
	two("Sub", "a", "b", 4, func() func(x, y V) { return func(x, y V) { FSub(x, x, y) } })
	two("Mul", "a", "b", 4, func() func(x, y V) { return func(x, y V) { FMul(x, x, y) } })

	one("Neg", "x", "", func() func(V) { return func(x V) { FNeg(x, x) } })
	one("OneMinus", "x", "", func() func(V) {
		c := Number(1)
		return func(x V) { FSub(x, c, x) }
	})
	one("Sigmoid", "x", "", Sigmoid)
	one("Tanh", "x", "", Tanh)
	one("Scale", "a", "s", func() func(V) {
		s := Scalar("s+16")
		return func(x V) { FMul(x, x, s) }
	})
	// Threshold computes dst[i] = x[i] > bound ? 1 : 0.
	one("Threshold", "x", "bound", func() func(V) {
		bound, c := Scalar("bound+16"), Number(1)
		return func(x V) {
			FCmGt(x, x, bound)
			And(x, x, c)
		}
	})
	// FlushSmall computes dst[i] = |x[i]| < least ? +0 : x[i].
	one("FlushSmall", "x", "least", func() func(V) {
		least := Scalar("least+16")
		return func(x V) {
			small := New()
			FAbs(small, x)
			FCmGt(small, least, small)
			Bic(x, x, small)
		}
	})
	one("Clip", "x", "lo, hi", func() func(V) { return clip("lo+16", "hi+20") })

	two("SigmoidGrad", "y", "dy", 4, sigmoidGrad)
	two("TanhGrad", "y", "dy", 4, func() func(y, dy V) {
		c := Number(1)
		return func(y, dy V) { // dst[i] = dy[i] * fma(-y[i], y[i], 1)
			t := New()
			Copy(t, c)
			FMls(t, y, y)
			FMul(y, t, dy)
		}
	})
	fill()
	Finish()
}

const dst, first, second, n = R(0), R(1), R(2), R(3)

// one writes dst[i] = f(x[i]). The parameters of the kernel are dst, x, up to two scalars,
// and n. The result of f replaces its argument.
func one(name, x, scalars string, f func() func(x V)) {
	size, unroll := 24, 4
	if scalars != "" { // one or two of 4 bytes; n is aligned to 8
		size = 32
	}
	if name == "Sigmoid" || name == "Tanh" {
		unroll = 1
	}
	Text("vec"+name+"NEON", size)
	I("MOVD dst+0(FP), %v", dst)
	I("MOVD %s+8(FP), %v", x, first)
	I("MOVD n+%d(FP), %v", size-8, n)
	op := f()
	Elementwise([]R{first}, []R{dst}, n, unroll, func(x []V) []V {
		op(x[0])
		return x
	})
	I("RET")
}

// two writes dst[i] = f(x[i], y[i]). The result of f replaces its first argument.
func two(name, x, y string, unroll int, f func() func(x, y V)) {
	Text("vec"+name+"NEON", 32)
	I("MOVD dst+0(FP), %v", dst)
	I("MOVD %s+8(FP), %v", x, first)
	I("MOVD %s+16(FP), %v", y, second)
	I("MOVD n+24(FP), %v", n)
	op := f()
	Elementwise([]R{first, second}, []R{dst}, n, unroll, func(x []V) []V {
		op(x[0], x[1])
		return x[:1]
	})
	I("RET")
}

// sigmoidGrad emits dy * (y * (1 - y)).
func sigmoidGrad() func(y, dy V) {
	c := Number(1)
	return func(y, dy V) {
		t := New()
		FSub(t, c, y)
		FMul(t, t, y)
		FMul(y, t, dy)
	}
}

// clip emits x < lo ? lo : x > hi ? hi : x. If x is NaN or equals a bound, the result is x
// itself, with its sign.
func clip(lo, hi string) func(V) {
	l, h := Scalar(lo), Scalar(hi)
	return func(x V) {
		below, above := New(), New()
		FCmGt(below, l, x)
		FCmGt(above, x, h)
		Bit(x, l, below)
		Bit(x, h, above)
	}
}

// fill writes dst[i] = s.
func fill() {
	Text("vecFillNEON", 24)
	I("MOVD dst+0(FP), %v", dst)
	I("MOVD n+16(FP), %v", n)
	s := Scalar("s+8")
	Elementwise(nil, []R{dst}, n, 4, func([]V) []V { return []V{s} })
	I("RET")
}
