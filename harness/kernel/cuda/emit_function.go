package cuda

// The emitted element functions perform the same operations as the functions of
// harness/numeric, in the same order.

// sigmoidGrad emits dy * (y * (1-y)).
func (e *emitter) sigmoidGrad(y, dy string, _ []string) string {
	return e.f("mul.rn.f32", dy, e.f("mul.rn.f32", y, e.f("sub.rn.f32", real(1), y)))
}

// tanhGrad emits dy * fma(-y, y, 1).
func (e *emitter) tanhGrad(y, dy string, _ []string) string {
	return e.f("mul.rn.f32", dy, e.f("fma.rn.f32", e.f("neg.f32", y), y, real(1)))
}

// clip emits x clamped to [f[0], f[1]]. NaN stays NaN.
func (e *emitter) clip(x, _ string, f []string) string {
	above := e.f("selp.f32", f[1], x, e.test("setp.gt.f32", x, f[1]))
	return e.f("selp.f32", f[0], above, e.test("setp.lt.f32", x, f[0]))
}

// flushSmall emits x, or +0 if |x| < f[0].
func (e *emitter) flushSmall(x, _ string, f []string) string {
	below := e.f("selp.f32", real(0), x, e.test("setp.lt.f32", x, f[0]))
	return e.f("selp.f32", below, x, e.test("setp.gt.f32", x, e.f("neg.f32", f[0])))
}

func (e *emitter) threshold(x, _ string, f []string) string {
	return e.f("selp.f32", real(1), real(0), e.test("setp.gt.f32", x, f[0]))
}

// reduce emits the function expReduce of package numeric: e^x is about (1+p) * 2^n. It
// returns the registers of n and p.
func (e *emitter) reduce(x string) (n, p string) {
	fma := func(a, b, c string) string { return e.f("fma.rn.f32", a, b, c) }
	t := fma(x, real(0x1.715476p+0), real(0x1.8p+23))
	k := e.f("sub.rn.f32", t, real(0x1.8p+23))
	r := fma(k, real(-0x1.62e43p-1), x)
	r = fma(k, real(0x1.05c61p-29), r)
	q := fma(real(0x1.6b9c6ep-10), r, real(0x1.12254ap-7))
	q = fma(q, r, real(0x1.5556f2p-5))
	q = fma(q, r, real(0x1.5554b4p-3))
	q = fma(q, r, real(0x1.fffffep-2))
	p = fma(e.f("mul.rn.f32", r, r), q, r)
	return e.r("sub.s32", e.r("mov.b32", t), "0x4b400000"), p
}

// power emits 2^n. The number in register n must be between -126 and 127.
func (e *emitter) power(n string) string {
	return e.f("mov.b32", e.r("shl.b32", e.r("add.s32", n, "127"), "23"))
}

// sigmoid emits 1/(1+z) with z = e^-|x|, or z/(1+z) for negative x. Here z = (1+p) * 2^n,
// but 2^n can be too small for the method power. So sigmoid multiplies by two powers of
// two whose product is 2^n. The first multiplication is exact, so z is rounded once.
func (e *emitter) sigmoid(x string) string {
	bits := e.r("mov.b32", x)
	y := e.f("mov.b32", e.r("or.b32", bits, "0x80000000"))
	y = e.f("selp.f32", real(-104), y, e.test("setp.lt.f32", y, real(-104)))
	n, p := e.reduce(y)
	half := e.r("shr.s32", n, "1")
	z := e.f("mul.rn.f32", e.f("add.rn.f32", p, real(1)), e.power(half))
	z = e.f("mul.rn.f32", z, e.power(e.r("sub.s32", n, half)))
	num := e.f("selp.f32", z, real(1), e.test("setp.lt.s32", bits, "0"))
	return e.f("div.rn.f32", num, e.f("add.rn.f32", z, real(1)))
}

// tanh emits |tanh x| = |d/(d+2)|, where d = e^(-2|x|) - 1, and gives it the sign of x.
func (e *emitter) tanh(x string) string {
	bits := e.r("mov.b32", x)
	y := e.f("mov.b32", e.r("or.b32", bits, "0x80000000"))
	y = e.f("add.rn.f32", y, y)
	y = e.f("selp.f32", real(-20), y, e.test("setp.lt.f32", y, real(-20)))
	n, p := e.reduce(y)
	s := e.power(n)
	d := e.f("fma.rn.f32", s, p, e.f("sub.rn.f32", s, real(1)))
	v := e.r("mov.b32", e.f("div.rn.f32", d, e.f("add.rn.f32", d, real(2))))
	sign := e.r("and.b32", bits, "0x80000000")
	return e.f("mov.b32", e.r("or.b32", e.r("and.b32", v, "0x7fffffff"), sign))
}
