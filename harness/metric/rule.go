package metric

import (
	"fmt"
	"math"
)

// Rule decides when a closing bracket is predicted: probTrue/probAll reaches
// Num/Den, or exceeds it if Strict.
type Rule struct {
	Num, Den int64 // threshold; 0 < Num <= Den <= 1024
	Strict   bool  // whether equality is not enough
}

var (
	// Paper asks for a share of at least 0.8.
	Paper = Rule{Num: 4, Den: 5}
	// PublicCode asks for more than 0.8.
	PublicCode = Rule{Num: 4, Den: 5, Strict: true}
)

// Validate reports a threshold outside (0, 1] or a denominator that is too large
// for exact products.
func (r Rule) Validate() error {
	if r.Num < 1 || r.Num > r.Den || r.Den > 1024 {
		return fmt.Errorf("threshold is %d/%d, want 1 <= numerator <= denominator <= 1024", r.Num, r.Den)
	}
	return nil
}

// String writes the rule as a comparison, for example ">= 4/5".
func (r Rule) String() string {
	if r.Strict {
		return fmt.Sprintf("> %d/%d", r.Num, r.Den)
	}
	return fmt.Sprintf(">= %d/%d", r.Num, r.Den)
}

// met compares Den*probTrue with Num*probAll. Both are exact when the
// probabilities are float32 values, which have 24 bits of the 53.
func (r Rule) met(probTrue, probAll float64) bool {
	left, right := float64(r.Den)*probTrue, float64(r.Num)*probAll
	if r.Strict {
		return left > right
	}
	return left >= right
}

// defined reports whether the share probTrue/probAll is a number at all.
func defined(probTrue, probAll float64) bool {
	return probTrue >= 0 && probTrue <= math.MaxFloat64 && probAll > 0 && probAll <= math.MaxFloat64
}
