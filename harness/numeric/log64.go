package numeric

import "math"

// atanh holds 2/k for k = 23, 21 ... 3.
var atanh = [...]float64{2. / 23, 2. / 21, 2. / 19, 2. / 17, 2. / 15, 2. / 13, 2. / 11, 2. / 9, 2. / 7, 2. / 5, 2. / 3}

// Log64 returns the natural logarithm of x in float64, within 1 ulp.
//
//	Log64(NaN) = NaN, Log64(x < 0) = NaN, Log64(±0) = -Inf, Log64(+Inf) = +Inf, Log64(1) = +0
//
// With x = m 2^e, m in [sqrt(1/2), sqrt(2)), f = m-1, s = f/(2+f) and z = s^2,
//
//	log(m) = 2 atanh(s) = s (2+R), R = 2z/3 + 2z^2/5 + ... to z^11
//	       = f - (h - s (h+R)),    h = f^2/2
//
// In the last form f and h dominate, so the rounding of s has little effect.
func Log64(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0 || x != x:
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	}
	var e int64
	if x < 0x1p-1022 {
		x *= 0x1p+52
		e = -52
	}
	const sqrtHalf = 0x3fe6a09e667f3bcd // bits of the square root of 1/2
	bits := math.Float64bits(x)
	top := (bits - sqrtHalf) >> 52 << 52
	e += int64(top) >> 52
	f := math.Float64frombits(bits-top) - 1
	s := f / (2 + f)
	z := float64(s * s)
	r := atanh[0]
	for _, c := range atanh[1:] {
		r = math.FMA(r, z, c)
	}
	r = float64(r * z)
	h := float64(float64(0.5*f) * f)
	n := float64(e)
	t := math.FMA(s, h+r, float64(n*ln2Lo64))
	return math.FMA(n, ln2Hi64, f-(h-t))
}
