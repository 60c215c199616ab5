package kernel

import "math"

// The Value functions of [Ops] use these functions of real numbers. Their results
// differ between machines, so only tests use them.

func realSigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func realTanh(x float64) float64 { return math.Tanh(x) }
