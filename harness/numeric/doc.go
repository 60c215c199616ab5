// Package numeric implements element functions that give the same bits on every
// machine: the float32 functions FMA, Exp, Log, Tanh and Sigmoid that models use, and
// the float64 functions Exp64, Log64 and NormalQuantile that metrics and random
// streams use.
//
// # Why not package math
//
// math.Exp, math.Tanh and similar functions are assembly on some machines and Go on
// others. Even on one architecture their last bit may depend on whether the CPU has
// FMA, which would change every digest of trained parameters. So each function here
// is a fixed sequence of IEEE operations, rounded to nearest even: fused
// multiply-add, multiply, add, divide, and integer operations on the exponent.
// Devices implement the same sequences, for example in the assembly of
// harness/kernel/cpu. The Go code defines them and is their reference in tests.
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
//	Tanh     d/(2+d) with the sign of x, d = fma(2^n, p, 2^n-1), where n and p are
//	         those of -2|x|: d is about e^(-2|x|) - 1
//	Sigmoid  z/(1+z) or 1/(1+z), z = Exp(-|x|)
//
// Log writes x as m 2^e with m in [2/3, 4/3), and with f = m-1 computes
//
//	fma(e, ln2, fma(f*f, q(f), f))           q of degree 8
//
// The coefficients are weighted minimax fits. They were rounded to float32 one by one,
// and after each rounding the coefficients that were not yet rounded were fitted again.
//
// # Rules for the code
//
// Go may fuse x*y + z on some targets, so a product that is added to something is
// either inside an explicit conversion, which forces rounding, or part of an FMA.
// Subnormals are not flushed to zero. All NaNs are equivalent: their payloads and signs
// are not part of the contract. The sign of zero is part of it.
//
// # Error bounds
//
// The bounds are in units in the last place (ulp) of the exact result; below 2^-126
// the ulp is 2^-149. go test -exhaustive measures them over all 2^32 arguments:
//
//	Exp 1.04   Log 0.94   Tanh 2.5   Sigmoid 2.41
//
// Exp64 and Log64 stay within 1 ulp, NormalQuantile within 1e-15 of its value.
package numeric
