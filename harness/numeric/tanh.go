package numeric

import "math"

const tanhMin = -20 // -2|x| is raised to this bound, where the result is already 1 or -1

// Tanh returns the hyperbolic tangent of x, within 2.5 ulp.
//
//	Tanh(NaN) = NaN, Tanh(±Inf) = ±1, Tanh(±0) = ±0
//
// Tanh is odd, and returns x itself if |x| is small, including subnormals.
func Tanh(x float32) float32 {
	sign := math.Float32bits(x) & 0x80000000
	y := math.Float32frombits(math.Float32bits(x) | 0x80000000)
	y = float32(y + y)
	if y < tanhMin {
		y = tanhMin
	}
	n, p := expReduce(y)
	s := float32(pow2(n))
	d := FMA(s, p, s-1)
	v := d / (d + 2)
	return math.Float32frombits(math.Float32bits(v)&0x7fffffff | sign)
}
