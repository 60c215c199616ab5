package recognition

import "pushdown/harness/numeric"

// tape is a simple implementation of reverse-mode differentiation in float64. The methods
// take and return numbers as indices of type int. For each number the tape holds its value,
// the two numbers from which it was computed, and the partial derivatives with respect to
// these two. Tests compute a cell on a tape as a reference for training. The zero tape
// is empty and ready to use.
type tape struct {
	Value, Grad []float64    // of each number
	from        [][2]int     // the operands of each number
	by          [][2]float64 // the partial derivatives with respect to the operands
}

func (p *tape) add(v float64, a int, da float64, b int, db float64) int {
	p.Value, p.Grad = append(p.Value, v), append(p.Grad, 0)
	p.from, p.by = append(p.from, [2]int{a, b}), append(p.by, [2]float64{da, db})
	return len(p.Value) - 1
}

// Number adds a number that is not computed from others, such as a parameter or a constant.
// In place of its operands, the tape holds the index of the number itself; Backward skips
// such numbers.
func (p *tape) Number(v float64) int { n := len(p.Value); return p.add(v, n, 0, n, 0) }

// one adds a number with value v that was computed from one other number, a. d is the
// partial derivative with respect to a.
func (p *tape) one(v, d float64, a int) int { return p.add(v, a, d, a, 0) }

// Plus returns a + b.
func (p *tape) Plus(a, b int) int { return p.add(p.Value[a]+p.Value[b], a, 1, b, 1) }

// Times returns a times b.
func (p *tape) Times(a, b int) int { return p.add(p.Value[a]*p.Value[b], a, p.Value[b], b, p.Value[a]) }

// Scale returns a times the constant by.
func (p *tape) Scale(a int, by float64) int { return p.one(by*p.Value[a], by, a) }

// F1 returns 1.7159 tanh(2a/3).
func (p *tape) F1(a int) int {
	y := 1 - 2/(1+float64(numeric.Exp64(p.Value[a]*4/3)))
	return p.one(1.7159*y, 1.7159*2/3*(1-float64(y*y)), a)
}

// Sigmoid returns 1/(1+exp(-a)).
func (p *tape) Sigmoid(a int) int {
	y := 1 / (1 + float64(numeric.Exp64(-p.Value[a])))
	return p.one(y, y*(1-y), a)
}

func (p *tape) exp(a int) int { y := numeric.Exp64(p.Value[a]); return p.one(y, y, a) }

// Log returns the natural logarithm of a.
func (p *tape) Log(a int) int { return p.one(numeric.Log64(p.Value[a]), 1/p.Value[a], a) }

func (p *tape) reciprocal(a int) int {
	y := 1 / p.Value[a]
	return p.one(y, -y*y, a)
}

// Softmax returns the softmax of some numbers.
func (p *tape) Softmax(x []int) (y []int) {
	sum := p.Number(0)
	for _, a := range x {
		y = append(y, p.exp(a))
		sum = p.Plus(sum, y[len(y)-1])
	}
	for i, a := range y {
		y[i] = p.Times(a, p.reciprocal(sum))
	}
	return y
}

// Affine returns x W + b. W is part of a larger matrix with cols columns: it has the n
// columns [from, from+n) and the first len(x) rows. w is the index of the first element of
// the larger matrix, which is stored row by row. b may be nil.
func (p *tape) Affine(x []int, w, cols, from, n int, b []int) (y []int) {
	for j := range n {
		sum := p.Number(0)
		if b != nil {
			sum = b[j]
		}
		for i, a := range x {
			sum = p.Plus(sum, p.Times(a, w+i*cols+from+j))
		}
		y = append(y, sum)
	}
	return y
}

// Backward computes the gradients of the number a with respect to all numbers on the tape,
// and stores them in Grad. It may be called only once.
func (p *tape) Backward(a int) {
	p.Grad[a] = 1
	for i := a; i >= 0; i-- {
		for k, j := range p.from[i] {
			if j != i {
				p.Grad[j] += float64(p.by[i][k] * p.Grad[i])
			}
		}
	}
}
