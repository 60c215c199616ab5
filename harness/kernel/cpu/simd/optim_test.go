package simd

import (
	"math"
	"math/big"
	"testing"

	"pushdown/harness/numeric"
)

func TestSGDMatchesFormula(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		for kind := range testDraws {
			for _, n := range testLengths(257, 1000) {
				f := testDraws[kind].make(newRand(n, kind))
				w, dw, lr := newVector(n, f), newVector(n, f), f()
				have := w.clone()
				optimFor(isa).Sgd(have.ptr(), dw.ptr(), lr, n)
				have.want(t, labelFor(isa, "sgd of", n), func(_, i int) float32 { return w.at(0, i) - float32(lr*dw.at(0, i)) })
			}
		}
	})
}

func TestAdamMatchesFormula(t *testing.T) {
	eachISA(t, func(t *testing.T, isa ISA) {
		for kind := range testDraws {
			for _, n := range testLengths(257, 1000) {
				f := testDraws[kind].make(newRand(n, kind))
				w, m, v, dw := newVector(n, f), newVector(n, f), newVector(n, f), newVector(n, f)
				h := &AdamScalars{LR: 0.01 / (1 - 0.9), InvC2: 1 / (1 - 0.999), B1: 0.9, OneMinusB1: 1 - 0.9, B2: 0.999, OneMinusB2: 1 - 0.999, Eps: 1e-8}
				if n%5 == 0 {
					h = &AdamScalars{f(), f(), f(), f(), f(), f(), f()}
				}
				w1, m1, v1 := w.clone(), m.clone(), v.clone()
				optimFor(isa).Adam(w1.ptr(), m1.ptr(), v1.ptr(), dw.ptr(), n, h)
				newM := func(_, i int) float32 { return numeric.FMA(h.B1, m.at(0, i), float32(h.OneMinusB1*dw.at(0, i))) }
				newV := func(_, i int) float32 {
					d := dw.at(0, i)
					return numeric.FMA(h.B2, v.at(0, i), float32(float32(h.OneMinusB2*d)*d))
				}
				m1.want(t, labelFor(isa, "m of", n), newM)
				v1.want(t, labelFor(isa, "v of", n), newV)
				w1.want(t, labelFor(isa, "w of", n), func(_, i int) float32 {
					root := sqrtRounded(float32(newV(0, i) * h.InvC2))
					return w.at(0, i) - float32(float32(h.LR*newM(0, i))/float32(root+h.Eps))
				})
			}
		}
	})
}

// sqrtRounded returns the correctly rounded square root, computed with math/big.
func sqrtRounded(x float32) float32 {
	if !(x > 0) || math.IsInf(float64(x), 1) {
		return float32(math.Sqrt(float64(x)))
	}
	f, _ := new(big.Float).Sqrt(big.NewFloat(float64(x)).SetPrec(200)).Float32()
	return f
}

// TestAdamIsAdam computes three updates of one parameter in float64, by the formulas of
// the paper, and checks that the float32 routine gives nearly the same.
func TestAdamIsAdam(t *testing.T) {
	const lr, b1, b2, eps = 0.01, 0.9, 0.999, 1e-8
	eachISA(t, func(t *testing.T, isa ISA) {
		w32, m32, v32 := []float32{0.5}, []float32{0}, []float32{0}
		w, m, v := 0.5, 0.0, 0.0
		for step, d := range []float64{0.25, -0.125, 0.75} {
			c1, c2 := 1-math.Pow(b1, float64(step+1)), 1-math.Pow(b2, float64(step+1))
			m, v = b1*m+(1-b1)*d, b2*v+(1-b2)*d*d
			w -= lr * (m / c1) / (math.Sqrt(v/c2) + eps)
			dw := float32(d)
			optimFor(isa).Adam(&w32[0], &m32[0], &v32[0], &dw, 1,
				&AdamScalars{LR: float32(lr / c1), InvC2: float32(1 / c2), B1: b1, OneMinusB1: 1 - b1, B2: b2, OneMinusB2: 1 - b2, Eps: eps})
			// An update changes the parameter by at most 0.01. It has about ten
			// roundings, each with a relative error of at most 2^-24.
			if math.Abs(float64(w32[0])-w) > 0x1p-24+float64(step+1)*10*0.01*0x1p-24 {
				t.Fatalf("after update %d: %v, want about %v", step+1, w32[0], w)
			}
		}
	})
}
