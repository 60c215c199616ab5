package cpu

import "math"

// fma32 is the correctly rounded a*b + c. The product of two float32 is exact
// in float64; the sum is rounded to odd there, so that rounding it once more
// to float32 gives what one rounding would have.
func fma32(a, b, c float32) float32 {
	p, z := float64(a)*float64(b), float64(c)
	s := p + z
	t := s - p
	e := (p - (s - t)) + (z - t) // what the sum lost; NaN where s is not finite
	if u := math.Float64bits(s); u&1 == 0 && (e < 0 || e > 0) {
		if (e > 0) == (s > 0) {
			u++
		} else {
			u--
		}
		s = math.Float64frombits(u)
	}
	return float32(s)
}
