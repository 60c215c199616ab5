package numeric

import "math"

// NormalQuantile returns the p-quantile of the standard normal distribution: the x
// such that a standard normal variable is below x with probability p. It maps one
// uniform draw to one normal draw. The error is at most 1e-15 of |x|, for every p
// down to the smallest subnormal.
//
//	NormalQuantile(0) = -Inf, NormalQuantile(1) = +Inf, NormalQuantile(1/2) = 0,
//	NaN for NaN and outside [0, 1]
//
// The method is PPND16 of Wichura (1988), Algorithm AS 241, Applied Statistics 37,
// 477-484: one rational function for |p-1/2| <= 0.425, two more in sqrt(-log(min(p,
// 1-p))) for the tails. This version uses Log64 and fuses the steps of Horner's rule.
func NormalQuantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		num, den := horner(&centre, r)
		return q * num / den
	}
	tail := p
	if q > 0 {
		tail = 1 - p
	}
	if tail == 0 {
		return math.Inf(int(math.Copysign(1, q)))
	}
	r := math.Sqrt(-Log64(tail))
	var x float64
	if r <= 5 {
		r -= 1.6
		num, den := horner(&middle, r)
		x = num / den
	} else {
		r -= 5
		num, den := horner(&far, r)
		x = num / den
	}
	return math.Copysign(x, q)
}

// rational holds the coefficients of a rational function, the constant terms first.
type rational struct{ num, den [8]float64 }

// horner returns the numerator num[0] + num[1] x + ... + num[7] x^7 and the denominator of a
// rational function. A processor works on both at the same time.
func horner(c *rational, x float64) (num, den float64) {
	num, den = c.num[7], c.den[7]
	for k := 6; k >= 0; k-- {
		num, den = math.FMA(num, x, c.num[k]), math.FMA(den, x, c.den[k])
	}
	return num, den
}

// The coefficients of AS 241.
var (
	centre = rational{
		[8]float64{
			3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
			45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
		},
		[8]float64{
			1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
			21213.794301586595867, 39307.895800092710610, 28729.085735721942674, 5226.4952788528545610,
		},
	}
	middle = rational{
		[8]float64{
			1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
			1.27045825245236838258, 0.241780725177450611770, 0.0227238449892691845833, 7.74545014278341407640e-4,
		},
		[8]float64{
			1, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
			0.148103976427480074590, 0.0151986665636164571966, 5.47593808499534494600e-4, 1.05075007164441684324e-9,
		},
	}
	far = rational{
		[8]float64{
			6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 0.296560571828504891230,
			0.0265321895265761230930, 0.00124266094738807843860, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
		},
		[8]float64{
			1, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525,
			7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15,
		},
	}
)
