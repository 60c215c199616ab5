package rng

import "math"

// normalQuantile is the inverse of the standard normal distribution function,
// p in (0, 1), by M. Wichura's algorithm AS 241 (Applied Statistics 37, 1988,
// PPND16): relative error about 1e-16 before rounding. The order of operations
// is fixed and no product is fused with a sum.
func normalQuantile(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return q * (poly(r, centreNum[:]) / poly(r, centreDen[:]))
	}
	r := p
	if q > 0 {
		r = 1 - p
	}
	r = math.Sqrt(-ln(r))
	if r <= 5 {
		r = poly(r-1.6, middleNum[:]) / poly(r-1.6, middleDen[:])
	} else {
		r = poly(r-5, tailNum[:]) / poly(r-5, tailDen[:])
	}
	if q < 0 {
		return -r
	}
	return r
}

// poly evaluates c[0] + c[1]*x + ... by Horner's rule.
func poly(x float64, c []float64) float64 {
	sum := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		sum = float64(sum*x) + c[i]
	}
	return sum
}

// ln is the natural logarithm of a positive normal x: x = 2^e*f with f in
// [sqrt(1/2), sqrt(2)), log f = 2*atanh(s), s = (f-1)/(f+1), by its series.
func ln(x float64) float64 {
	f, e := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f, e = 2*f, e-1
	}
	s := (f - 1) / (f + 1)
	z := float64(s * s)
	sum := 0.0
	for k := 25; k >= 1; k -= 2 {
		sum = float64(sum*z) + 1/float64(k)
	}
	return float64(float64(2*s)*sum) + float64(float64(e)*math.Ln2)
}

var (
	centreNum = [...]float64{3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
		4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3}
	centreDen = [...]float64{1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
		2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}
	middleNum = [...]float64{1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
		1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4}
	middleDen = [...]float64{1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}
	tailNum = [...]float64{6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874398060000e-5, 2.01033439929228813265e-7}
	tailDen = [...]float64{1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}
)
