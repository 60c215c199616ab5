// Package numeric holds the element functions that give the same bits on every
// machine: the float32 FMA, Exp, Log, Tanh and Sigmoid that models compute
// with, and the float64 Exp64, Log64 and NormalQuantile that metrics and
// random streams are made of.
//
// # Why not package math
//
// math.Exp, math.Tanh and their like are assembly on some machines and Go on
// others, and even one machine changes their last bit with its FMA. A digest
// over trained parameters survives none of that. So each function here is a
// fixed sequence of IEEE operations, rounded to nearest even: fused
// multiply-add, multiply, add, divide, and integer work on the exponent. Every
// device spells out the same sequences, as the assembly of harness/kernel/cpu
// does; the Go code is their definition and their test.
//
// # The sequences
//
// Exp, Tanh and Sigmoid share one reduction, x = n ln 2 + r with |r| <= ln2/2:
//
//	t = fma(x, log2e, 1.5*2^23)    the low bits of t hold n, to nearest even
//	n = t - 1.5*2^23
//	r = fma(n, -ln2Lo, fma(n, -ln2Hi, x))
//	p = fma(r*r, q(r), r)          about e^r - 1, q of degree 4 by Horner's rule
//
// and end differently:
//
//	Exp      (1+p) * 2^n                     scaled with one rounding
//	Tanh     d/(2+d), d = fma(2^n, p, 2^n-1) of -2|x|: d is about e^(-2|x|) - 1
//	Sigmoid  z/(1+z) or 1/(1+z), z = Exp(-|x|)
//
// Log takes x = m 2^e with m in [2/3, 4/3) and f = m-1:
//
//	fma(e, ln2, fma(f*f, q(f), f))           q of degree 8
//
// The coefficients were fitted by us: weighted minimax, each rounded to
// float32 in turn and the others fitted again around it.
//
// # Rules for the code
//
// Go may fuse x*y + z on some targets, so a product that is added to something
// stands in an explicit conversion or in an FMA. Subnormals are kept. Every
// NaN is as good as another: payloads and signs of NaN are not part of the
// contract. The sign of zero is.
//
// # Error bounds
//
// In units in the last place of the exact result (2^-149 below 2^-126),
// measured over all 2^32 arguments by go test -exhaustive:
//
//	Exp 1.04   Log 0.94   Tanh 2.5   Sigmoid 2.41
//
// Exp64 and Log64 stay within 1 ulp, NormalQuantile within 1e-15 of its value.
package numeric
