package models

import (
	"fmt"
	"math"

	"pushdown/harness/stepgraph"
)

// amplitude is the factor of f1. With it f1(1) = 1 and f1(-1) = -1. [diffstk]
// prints 1.7519, but the source that it cites has 1.7159.
const amplitude = 1.7159

// f1 is the activation of [diffstk], 1.7159 tanh(2x/3).
func f1(b *stepgraph.Builder, x *stepgraph.Node) *stepgraph.Node {
	return b.Scale(b.Tanh(b.Scale(x, 2.0/3)), amplitude)
}

// f1Gated returns z_t and c_t for pre-activations of i, f, o and the candidate that
// are laid out side by side.
func f1Gated(b *stepgraph.Builder, pre, c *stepgraph.Node) (z, next *stepgraph.Node) {
	p := b.Split(pre, 4)
	next = b.Add(b.Mul(b.Sigmoid(p[1]), c), b.Mul(b.Sigmoid(p[0]), f1(b, p[3])))
	return b.Mul(f1(b, next), b.Sigmoid(p[2])), next
}

// small returns the initial values of the weights in the networks of [diffstk],
// normal(0, 0.05). The biases start at zero. The paper does not give initial values.
// These are the values of the program of [delta], an earlier paper by one of its
// authors.
func small() stepgraph.Init { return stepgraph.Init{Kind: stepgraph.Normal, B: 0.05} }

// noise returns x with the noise of [diffstk] added in training.
func noise(b *stepgraph.Builder, x *stepgraph.Node, sd float64) *stepgraph.Node {
	return b.Noise("noise.state", 0, sd, x)
}

// noisy appends the standard deviation of the noise, unless it is 0, to the name of
// a cell.
func noisy(name string, sd float64) string {
	if sd == 0 {
		return name
	}
	return fmt.Sprintf("%s noise=%v", name, sd)
}

// withNoise returns the error fault of the other checks of a cell, if there is one.
// Otherwise it checks sd, the standard deviation of the noise, and returns an error if sd
// is invalid.
func withNoise(sd float64, fault error) error {
	if fault == nil && !(sd >= 0 && sd <= math.MaxFloat32) {
		return fmt.Errorf("noise is %v, want a finite number of at least 0", sd)
	}
	return fault
}

// weight returns a matrix with small initial values.
func weight(name string, rows, cols int) stepgraph.Spec {
	return stepgraph.Spec{Name: name, Rows: rows, Cols: cols, Init: small()}
}

// bias returns a row that starts at zero.
func bias(name string, n int) stepgraph.Spec { return stepgraph.Spec{Name: name, Rows: 1, Cols: n} }
