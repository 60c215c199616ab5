package optim_test

import (
	"math"
	"math/big"

	"pushdown/harness/optim"
)

// plain is an optimizer that implements the numeric contract with slices and loops. Where
// the contract fuses operations, this optimizer computes the exact result and rounds it
// once. Tensors are in bytewise order of their names.
type plain struct {
	rule    optim.Rule // with its defaults
	w, m, v [][]float32
	lr      float64
	power1  float64
	power2  float64
}

// newPlain returns a plain optimizer that starts with a copy of the parameters w.
func newPlain(rule optim.Rule, w [][]float32) *plain {
	p := &plain{rule: rule, lr: rule.LR, power1: 1, power2: 1}
	for _, x := range w {
		p.w = append(p.w, append([]float32(nil), x...))
		p.m = append(p.m, make([]float32, len(x)))
		p.v = append(p.v, make([]float32, len(x)))
	}
	return p
}

// step makes one update by the gradient g, which it modifies.
func (p *plain) step(g [][]float32) {
	if limit := float32(p.rule.Clip); limit > 0 {
		for _, x := range g {
			for i := range x {
				x[i] = min(max(x[i], -limit), limit)
			}
		}
	}
	if bound := float32(p.rule.ClipNorm); bound > 0 {
		if norm := globalNorm(g); norm > bound {
			factor := bound / norm
			for _, x := range g {
				for i := range x {
					x[i] *= factor
				}
			}
		}
	}
	p.power1 = float64(p.power1 * p.rule.Beta1)
	p.power2 = float64(p.power2 * p.rule.Beta2)
	for t, x := range g {
		for i, d := range x {
			if p.rule.Method == optim.SGD {
				p.w[t][i] -= float32(float32(p.lr) * d)
			} else {
				p.adam(t, i, d)
			}
		}
	}
}

func (p *plain) adam(t, i int, d float32) {
	lr, c := float32(p.lr/(1-p.power1)), float32(1/(1-p.power2))
	m := fma(float32(p.rule.Beta1), p.m[t][i], float32(float32(1-p.rule.Beta1)*d))
	square := float32(float32(1-p.rule.Beta2) * d)
	v := fma(float32(p.rule.Beta2), p.v[t][i], float32(square*d))
	root := float32(math.Sqrt(float64(float32(v * c))))
	p.w[t][i] -= float32(float32(lr*m) / float32(root+float32(p.rule.Eps)))
	p.m[t][i], p.v[t][i] = m, v
}

// fma returns a*b + c, computed exactly and rounded once.
func fma(a, b, c float32) float32 {
	if a*b == 0 || c == 0 { // big.Float loses the sign of a zero sum
		return float32(float64(a)*float64(b) + float64(c)) // a single term: exact in float64
	}
	exact := func(x float32) *big.Float { return new(big.Float).SetPrec(1000).SetFloat64(float64(x)) }
	sum := exact(a)
	sum.Mul(sum, exact(b))
	sum.Add(sum, exact(c))
	r, _ := sum.Float32()
	return r
}

// globalNorm returns the root of the sum of the squared norms of the tensors.
func globalNorm(g [][]float32) float32 {
	var sum float32
	for _, x := range g {
		sum += squares(x)
	}
	return float32(math.Sqrt(float64(sum)))
}

// squares returns the sum of squares that section Arithmetic of package kernel defines.
// The elements are cut into blocks of 4,096. In a block, the rounded square of element
// i is added to partial sum i%64. Then the upper half of the partial sums is added to
// the lower half until one is left. The sums of the blocks are added in the same way.
func squares(x []float32) float32 {
	var block []float32
	for len(x) > 0 {
		n := min(len(x), 4096)
		y := make([]float32, n)
		for i, v := range x[:n] {
			y[i] = float32(v * v)
		}
		block = append(block, strided(y))
		x = x[n:]
	}
	if len(block) == 1 {
		return block[0]
	}
	return strided(block)
}

func strided(x []float32) float32 {
	var part [64]float32
	for i, v := range x {
		part[i%64] += v
	}
	for n := 32; n > 0; n /= 2 {
		for i := range n {
			part[i] += part[i+n]
		}
	}
	return part[0]
}
