//go:build !arm64

package numeric

import "math"

// FMA returns a*b + c rounded once, to nearest even.
func FMA(a, b, c float32) float32 {
	v := sum(widen(a), b, c)
	if v.middle() {
		v = odd(a, b, c)
	}
	return float32(v)
}

// wide is a float32 converted to float64, or a*b + c before it is rounded to float32.
type wide float64

// widen returns x.
func widen(x float32) wide { return wide(x) }

// sum returns a*b + c, where a comes from widen. The product of two float32 values is
// exact in float64; the sum may be inexact.
func sum(a wide, b, c float32) wide {
	return wide(float64(float64(a)*float64(b)) + float64(c))
}

// middle reports whether rounding v to float32 may give a wrong result. A second
// rounding errs only if the first one landed on the midpoint between two float32
// values. Between normal float32 values, the float64 bits of a midpoint end in a one
// and 28 zeros. Between subnormals they end differently, so middle returns true for
// every subnormal sum except zero. Any other sum is on the correct side of every
// midpoint and rounds correctly.
func (v wide) middle() bool {
	bits := math.Float64bits(float64(v))
	// A sum of zero must not count as subnormal. Only a sum of zero has a zero upper half,
	// because the magnitude of any other sum is at least 2^-298. 0 minus 1 is the largest
	// uint32, which is not below belowNormal.
	return uint32(bits)<<3 == 1<<31 || uint32(bits>>32)<<1-1 < belowNormal
}

// belowNormal is the upper half of 2^-126, the least normal float32, in the form that
// middle compares: shifted left by one, less 1.
const belowNormal = 897<<21 - 1

// odd returns a*b + c such that rounding it to float32 equals rounding the exact sum
// once.
func odd(a, b, c float32) wide { return wide(roundToOdd(a, b, c)) }
