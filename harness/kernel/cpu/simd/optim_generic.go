package simd

import (
	"math"

	"pushdown/harness/numeric"
)

func sgdGeneric(w, dw *float32, lr float32, n int) {
	x, d := Line(w, 0, 0, n), Line(dw, 0, 0, n)
	for i := range x {
		x[i] -= float32(lr * d[i])
	}
}

func adamGeneric(w, m, v, dw *float32, n int, h *AdamScalars) {
	x, m1, m2, d := Line(w, 0, 0, n), Line(m, 0, 0, n), Line(v, 0, 0, n), Line(dw, 0, 0, n)
	for i, di := range d {
		m1[i] = numeric.FMA(h.B1, m1[i], float32(h.OneMinusB1*di))
		m2[i] = numeric.FMA(h.B2, m2[i], float32(float32(h.OneMinusB2*di)*di))
		root := float32(math.Sqrt(float64(float32(m2[i] * h.InvC2))))
		x[i] -= float32(float32(h.LR*m1[i]) / float32(root+h.Eps))
	}
}

var optimGenericTable = optimTable{Sgd: sgdGeneric, Adam: adamGeneric}
