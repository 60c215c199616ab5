package metric

import (
	"fmt"
	"math"
)

// Rule decides whether a closing bracket counts as predicted. The bracket's share of the
// probability of all closing brackets must be at least Num/Den, or more than Num/Den if
// Strict is set.
type Rule struct {
	Num, Den int64 // threshold; 0 < Num <= Den <= 1024
	Strict   bool  // whether the share must exceed the threshold
}

var (
	// Paper requires a share of at least 0.8.
	Paper = Rule{Num: 4, Den: 5}
	// PublicCode requires a share of more than 0.8.
	PublicCode = Rule{Num: 4, Den: 5, Strict: true}
)

// Validate returns an error if the threshold is outside (0, 1] or the denominator is
// too large for exact products.
func (r Rule) Validate() error {
	if r.Num < 1 || r.Num > r.Den || r.Den > 1024 {
		return fmt.Errorf("threshold is %d/%d, want 1 <= numerator <= denominator <= 1024", r.Num, r.Den)
	}
	return nil
}

// String returns the rule as a comparison, such as ">= 4/5".
func (r Rule) String() string {
	if r.Strict {
		return fmt.Sprintf("> %d/%d", r.Num, r.Den)
	}
	return fmt.Sprintf(">= %d/%d", r.Num, r.Den)
}

// met compares Den*probTrue with Num*probAll. Both products are exact if the
// probabilities are float32 values, which use 24 of the 53 bits.
func (r Rule) met(probTrue, probAll float64) bool {
	left, right := float64(r.Den)*probTrue, float64(r.Num)*probAll
	if r.Strict {
		return left > right
	}
	return left >= right
}

// defined reports whether the share probTrue/probAll is defined.
func defined(probTrue, probAll float64) bool {
	return probTrue >= 0 && probTrue <= math.MaxFloat64 && probAll > 0 && probAll <= math.MaxFloat64
}
