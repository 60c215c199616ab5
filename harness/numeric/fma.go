package numeric

import "math"

// FMA returns a*b + c rounded once, to nearest even.
//
// The product of two float32 is exact in float64, the sum need not be, and
// rounding it a second time errs where the first rounding landed on the middle
// between two float32 (or on one of them). Such middles, those of subnormals
// and the one before infinity included, have 28 zero bits at their end. Any
// other sum is on its true side of every middle and rounds rightly.
func FMA(a, b, c float32) float32 {
	s := float64(float64(a)*float64(b)) + float64(c)
	if math.Float64bits(s)<<36 != 0 {
		return float32(s)
	}
	return fmaOdd(a, b, c)
}

// fmaOdd sums in float64 rounding to odd: of the two neighbours of an inexact
// sum it takes the one whose last bit is set, which no later rounding to a
// narrower format mistakes for a middle.
func fmaOdd(a, b, c float32) float32 {
	p, z := float64(float64(a)*float64(b)), float64(c)
	s := p + z
	// Knuth's two-sum: p + z = s + e exactly.
	t := s - p
	e := (p - (s - t)) + (z - t)
	if e == 0 || e != e { // exact, or infinite, or NaN
		return float32(s)
	}
	bits := math.Float64bits(s)
	if bits&1 == 0 {
		if (e > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
	}
	return float32(math.Float64frombits(bits))
}
