package metric

import "math"

// Rule decides whether a closing bracket counts as predicted. The bracket's share of the
// probability of all closing brackets must be at least 0.8, or more than 0.8 if Strict is set.
type Rule struct{ Strict bool }

var (
	Paper      = Rule{}             // a share of at least 0.8
	PublicCode = Rule{Strict: true} // a share of more than 0.8
)

// met compares 5*probTrue with 4*probAll. Both products are exact if the
// probabilities are float32 values, which use 24 of the 53 bits.
func (r Rule) met(probTrue, probAll float64) bool {
	left, right := 5*probTrue, 4*probAll
	if r.Strict {
		return left > right
	}
	return left >= right
}

// defined reports whether the share probTrue/probAll is defined.
func defined(probTrue, probAll float64) bool {
	return probTrue >= 0 && probTrue <= math.MaxFloat64 && probAll > 0 && probAll <= math.MaxFloat64
}
