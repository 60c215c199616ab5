package numeric

import "math"

// Sigmoid returns 1/(1+e^-x), within 2.41 ulp.
//
//	Sigmoid(NaN) = NaN, Sigmoid(+Inf) = 1, Sigmoid(-Inf) = 0, Sigmoid(±0) = 1/2
//
// For very negative x it equals Exp(x), including subnormal results.
func Sigmoid(x float32) float32 {
	bits := math.Float32bits(x)
	z := Exp(math.Float32frombits(bits | 0x80000000))
	num := float32(1)
	if bits>>31 != 0 {
		num = z
	}
	return num / (1 + z)
}
