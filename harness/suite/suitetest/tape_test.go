package suitetest

import (
	"math"
	"testing"
)

// TestTape compares gradients through all operations with difference quotients.
func TestTape(t *testing.T) {
	weights := []float64{0.3, -0.7, 1.1, 0.4, -0.2, 0.9, 0.5, 0.8}
	loss := func(weights []float64) (*Tape, int) {
		p := &Tape{}
		for _, w := range weights {
			p.Number(w)
		}
		y := p.Softmax(p.Affine([]int{0, 1}, 2, 3, 0, 3, []int{0, 1, 7}))
		first, second := p.Times(y[0], p.F1(y[1])), p.Scale(p.Sigmoid(p.Log(y[2])), 3)
		return p, p.Plus(first, second)
	}
	p, end := loss(weights)
	p.Backward(end)
	const step = 1e-5
	for i, w := range weights {
		at := func(x float64) float64 {
			changed := append([]float64(nil), weights...)
			changed[i] = x
			p, end := loss(changed)
			return p.Value[end]
		}
		// The error of the difference quotient is the third derivative times
		// step^2/6, about 1e-10.
		if want := (at(w+step) - at(w-step)) / (2 * step); math.Abs(p.Grad[i]-want) > 1e-8 {
			t.Errorf("gradient of number %d: have %v, want %v", i, p.Grad[i], want)
		}
	}
	// softmax((0.3, -0.7) W + b) with W = (1.1 0.4 -0.2; 0.9 0.5 0.8), b = (0.3, -0.7, 0.8)
	a, b, c := math.Exp(0.33-0.63+0.3), math.Exp(0.12-0.35-0.7), math.Exp(-0.06-0.56+0.8)
	sum := a + b + c
	want := a/sum*1.7159*math.Tanh(2*b/sum/3) + 3/(1+math.Exp(-math.Log(c/sum)))
	if math.Abs(p.Value[end]-want) > 1e-14 {
		t.Errorf("value: have %v, want %v", p.Value[end], want)
	}
}
