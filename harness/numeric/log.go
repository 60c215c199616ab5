package numeric

import "math"

const (
	ln2 = ln2Hi

	logQ0 = -0.5
	logQ1 = 0x1.555506p-2
	logQ2 = -0x1.fffef8p-3
	logQ3 = 0x1.99d05cp-3
	logQ4 = -0x1.559c88p-3
	logQ5 = 0x1.1ed452p-3
	logQ6 = -0x1.f332dp-4
	logQ7 = 0x1.1e72ap-3
	logQ8 = -0x1.07beep-3

	twoThirds   = 0x3f2aaaab // bits of 2/3
	minNormal   = 0x1p-126
	signAndExp  = 0xff800000
	infinity    = 0x7f800000
	notANumber  = 0x7fc00000
	minusInf    = 0xff800000
	subnormalBy = 0x1p+23
)

// Log returns the natural logarithm of x, within 0.94 ulp.
//
//	Log(NaN) = NaN, Log(x < 0) = NaN, Log(±0) = -Inf, Log(+Inf) = +Inf, Log(1) = +0
func Log(x float32) float32 {
	switch {
	case x == 0:
		return math.Float32frombits(minusInf)
	case x < 0 || x != x:
		return math.Float32frombits(notANumber)
	case math.Float32bits(x) == infinity:
		return x
	}
	var e float32
	if x < minNormal {
		x *= subnormalBy // exact
		e = -23
	}
	bits := math.Float32bits(x)
	top := (bits - twoThirds) & signAndExp // 2^23 times the exponent
	e += float32(int32(top) >> 23)
	f := math.Float32frombits(bits-top) - 1
	q := FMA(logQ8, f, logQ7)
	q = FMA(q, f, logQ6)
	q = FMA(q, f, logQ5)
	q = FMA(q, f, logQ4)
	q = FMA(q, f, logQ3)
	q = FMA(q, f, logQ2)
	q = FMA(q, f, logQ1)
	q = FMA(q, f, logQ0)
	return FMA(e, ln2, FMA(float32(f*f), q, f))
}
