package kernel

import "math"

// The Value functions of [Ops] call the float64 functions below. Their results differ
// between machines, so only tests call the Value functions.

func realSigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func realTanh(x float64) float64 { return math.Tanh(x) }
