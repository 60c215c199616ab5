package kernel

import "math"

// The functions of real numbers that rows of [Ops] have as their meaning. They
// differ between machines; no run computes with them.

func realSigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func realTanh(x float64) float64 { return math.Tanh(x) }
