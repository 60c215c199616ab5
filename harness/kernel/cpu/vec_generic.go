package cpu

import (
	"unsafe"

	"pushdown/harness/numeric"
)

var vecGeneric = vecTable{
	add:             vecAddGeneric,
	sub:             vecSubGeneric,
	mul:             vecMulGeneric,
	scale:           vecScaleGeneric,
	fill:            vecFillGeneric,
	neg:             vecNegGeneric,
	oneMinus:        vecOneMinusGeneric,
	sigmoid:         vecSigmoidGeneric,
	tanh:            vecTanhGeneric,
	sigmoidGrad:     vecSigmoidGradGeneric,
	sigmoidGradClip: vecSigmoidGradClipGeneric,
	tanhGrad:        vecTanhGradGeneric,
	clip:            vecClipGeneric,
	threshold:       vecThresholdGeneric,
	drop:            vecDropGeneric,
}

func vecAddGeneric(dst, a, b *float32, n int) {
	d, x, y := unsafe.Slice(dst, n), unsafe.Slice(a, n), unsafe.Slice(b, n)
	for i := range d {
		d[i] = x[i] + y[i]
	}
}

func vecSubGeneric(dst, a, b *float32, n int) {
	d, x, y := unsafe.Slice(dst, n), unsafe.Slice(a, n), unsafe.Slice(b, n)
	for i := range d {
		d[i] = x[i] - y[i]
	}
}

func vecMulGeneric(dst, a, b *float32, n int) {
	d, x, y := unsafe.Slice(dst, n), unsafe.Slice(a, n), unsafe.Slice(b, n)
	for i := range d {
		d[i] = x[i] * y[i]
	}
}

func vecScaleGeneric(dst, a *float32, s float32, n int) {
	d, x := unsafe.Slice(dst, n), unsafe.Slice(a, n)
	for i := range d {
		d[i] = x[i] * s
	}
}

func vecFillGeneric(dst *float32, s float32, n int) {
	d := unsafe.Slice(dst, n)
	for i := range d {
		d[i] = s
	}
}

func vecNegGeneric(dst, x *float32, n int) {
	d, v := unsafe.Slice(dst, n), unsafe.Slice(x, n)
	for i := range d {
		d[i] = -v[i]
	}
}

func vecOneMinusGeneric(dst, x *float32, n int) {
	d, v := unsafe.Slice(dst, n), unsafe.Slice(x, n)
	for i := range d {
		d[i] = 1 - v[i]
	}
}

func vecSigmoidGeneric(dst, x *float32, n int) {
	d, v := unsafe.Slice(dst, n), unsafe.Slice(x, n)
	for i := range d {
		d[i] = numeric.Sigmoid(v[i])
	}
}

func vecTanhGeneric(dst, x *float32, n int) {
	d, v := unsafe.Slice(dst, n), unsafe.Slice(x, n)
	for i := range d {
		d[i] = numeric.Tanh(v[i])
	}
}

func vecSigmoidGradGeneric(dst, y, dy *float32, n int) {
	d, v, g := unsafe.Slice(dst, n), unsafe.Slice(y, n), unsafe.Slice(dy, n)
	for i := range d {
		d[i] = g[i] * (v[i] * (1 - v[i]))
	}
}

func vecTanhGradGeneric(dst, y, dy *float32, n int) {
	d, v, g := unsafe.Slice(dst, n), unsafe.Slice(y, n), unsafe.Slice(dy, n)
	for i := range d {
		d[i] = g[i] * numeric.FMA(-v[i], v[i], 1)
	}
}

func vecClipGeneric(dst, x *float32, lo, hi float32, n int) {
	d, v := unsafe.Slice(dst, n), unsafe.Slice(x, n)
	for i := range d {
		w := v[i]
		if w < lo {
			w = lo
		} else if w > hi {
			w = hi
		}
		d[i] = w
	}
}

func vecSigmoidGradClipGeneric(dst, y, dy *float32, lo, hi float32, n int) {
	vecSigmoidGradGeneric(dst, y, dy, n)
	vecClipGeneric(dst, dst, lo, hi, n)
}

func vecDropGeneric(dst, x *float32, least float32, n int) {
	d := unsafe.Slice(dst, n)
	for i, v := range unsafe.Slice(x, n) {
		if -least < v && v < least {
			v = 0
		}
		d[i] = v
	}
}

func vecThresholdGeneric(dst, x *float32, bound float32, n int) {
	d, v := unsafe.Slice(dst, n), unsafe.Slice(x, n)
	for i := range d {
		if v[i] > bound {
			d[i] = 1
		} else {
			d[i] = 0
		}
	}
}
