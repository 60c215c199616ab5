package kernel

import "math"

// Functions of real numbers used by Value in rows of [Ops]. Their results differ
// between machines, so no run computes with them.

func realSigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func realTanh(x float64) float64 { return math.Tanh(x) }
