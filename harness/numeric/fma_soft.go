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

// wide is a float32 in float64, or a*b + c before it is rounded to float32.
type wide float64

// widen returns x.
func widen(x float32) wide { return wide(x) }

// sum returns a*b + c for an a that widen has made. The product of two float32 is
// exact in float64, the sum need not be.
func sum(a wide, b, c float32) wide {
	return wide(float64(float64(a)*float64(b)) + float64(c))
}

// middle reports whether v may be rounded wrongly: rounding a second time errs
// where the first rounding landed on the middle between two float32. Of normal
// numbers, and before infinity, such a middle ends in a one and 28 zero bits. Those
// of subnormals lie elsewhere, so middle reports all of these, but not zero. Any
// other sum is on its true side of every middle and rounds rightly.
func (v wide) middle() bool {
	bits := math.Float64bits(float64(v))
	// The upper half of no sum but zero is zero: the least product is 2^-298.
	return uint32(bits)<<3 == 1<<31 || uint32(bits>>32)<<1-1 < belowNormal
}

// belowNormal is the upper half of 2^-126, the least normal float32, as middle
// compares it.
const belowNormal = 897<<21 - 1

// odd returns a*b + c so that rounding it again gives what rounding once does.
func odd(a, b, c float32) wide { return wide(roundToOdd(a, b, c)) }
