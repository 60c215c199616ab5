package numeric

import "math"

// AddProducts adds the elementwise products of x and y to dst. It panics if x or y is
// shorter than dst.
//
//	for i := range dst {
//		dst[i] = FMA(x[i], y[i], dst[i])
//	}
//
// AddProducts, AddScaled, SumOfTwoProducts and Dot inline FMA, since a function call
// for each element would take most of their time.
func AddProducts(dst, x, y []float32) {
	x, y = head(x, len(dst)), head(y, len(dst))
	for i := range dst {
		v := sum(widen(x[i]), y[i], dst[i])
		if v.middle() {
			v = odd(x[i], y[i], dst[i])
		}
		dst[i] = float32(v)
	}
}

// SumOfTwoProducts stores sums of two products in dst. The product x[i]*y[i] is rounded
// before it is added to u[i]*v[i]. SumOfTwoProducts panics if x, y, u or v is shorter than
// dst.
//
//	for i := range dst {
//		dst[i] = FMA(u[i], v[i], x[i]*y[i])
//	}
func SumOfTwoProducts(dst, x, y, u, v []float32) {
	n := len(dst)
	x, y, u, v = head(x, n), head(y, n), head(u, n), head(v, n)
	for i := range dst {
		p := float32(x[i] * y[i])
		w := sum(widen(u[i]), v[i], p)
		if w.middle() {
			w = odd(u[i], v[i], p)
		}
		dst[i] = float32(w)
	}
}

// AddScaled adds s times x to dst. It panics if x is shorter than dst.
//
//	for i := range dst {
//		dst[i] = FMA(s, x[i], dst[i])
//	}
func AddScaled(dst, x []float32, s float32) {
	x = head(x, len(dst))
	factor := widen(s) // hoisted: inside the loop it takes half of the time
	for i := range dst {
		v := sum(factor, x[i], dst[i])
		if v.middle() {
			v = odd(s, x[i], dst[i])
		}
		dst[i] = float32(v)
	}
}

// Dot returns the sum of n products, starting from +0 and rounded once per product:
//
//	for i := range n {
//		sum = FMA(x[i*dx], y[i*dy], sum)
//	}
func Dot(x, y []float32, dx, dy, n int) float32 {
	var acc float32
	for i, j := 0, 0; n > 0; i, j, n = i+dx, j+dy, n-1 {
		v := sum(widen(x[i]), y[j], acc)
		if v.middle() {
			v = odd(x[i], y[j], acc)
		}
		acc = float32(v)
	}
	return acc
}

// head returns the first n elements of x, and panics if it has fewer.
func head(x []float32, n int) []float32 { return x[:len(x):len(x)][:n] }

// roundToOdd returns a*b + c in float64, rounded to odd: if the sum is inexact, it
// returns the neighbor whose last bit is set. A later rounding to a narrower format
// cannot mistake that value for a midpoint.
func roundToOdd(a, b, c float32) float64 {
	p, z := float64(float64(a)*float64(b)), float64(c)
	s := p + z
	// Knuth's two-sum: p + z = s + e exactly.
	t := s - p
	e := (p - (s - t)) + (z - t)
	if e == 0 || e != e { // exact, or infinite, or NaN
		return s
	}
	bits := math.Float64bits(s)
	if bits&1 == 0 {
		if (e > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
	}
	return math.Float64frombits(bits)
}
