package metric

import (
	"fmt"
	"math/bits"
)

// Share is a number of correct cases among all, kept as integers.
type Share struct {
	Correct, Cases int64
}

// Value is Correct/Cases, rounded once; NaN when there are no cases.
func (s Share) Value() float64 { return float64(s.Correct) / float64(s.Cases) }

// Percent is 100*Correct/Cases, rounded once, so that 100 is reached by all
// correct and by nothing less; NaN when there are no cases.
func (s Share) Percent() float64 { return float64(100*s.Correct) / float64(s.Cases) }

// String writes the share as a fraction and in per cent.
func (s Share) String() string {
	return fmt.Sprintf("%d/%d (%.2f%%)", s.Correct, s.Cases, s.Percent())
}

// less compares two shares of at least one case without rounding.
func (s Share) less(t Share) bool {
	sHigh, sLow := bits.Mul64(uint64(s.Correct), uint64(t.Cases))
	tHigh, tLow := bits.Mul64(uint64(t.Correct), uint64(s.Cases))
	return sHigh < tHigh || sHigh == tHigh && sLow < tLow
}

// Count is the share of one distance.
type Count struct {
	Distance int
	Share
}

// String writes the distance and its share.
func (c Count) String() string { return fmt.Sprintf("distance %d: %v", c.Distance, c.Share) }

// Accuracy counts right answers. The zero Accuracy is empty and ready.
type Accuracy struct {
	Share
}

// Add counts one answer.
func (a *Accuracy) Add(right bool) {
	a.Cases++
	if right {
		a.Correct++
	}
}

// AddRow counts the answer of the largest score against the wanted index.
func (a *Accuracy) AddRow(scores []float32, want int) { a.Add(Argmax(scores) == want) }

// Argmax is the index of the largest score, the lowest of equal ones. A NaN is
// larger than nothing, but at index 0 nothing is larger than it; so a row of NaN
// answers 0. It panics when there are no scores.
func Argmax(scores []float32) int {
	best := 0
	for i, s := range scores {
		if s > scores[best] {
			best = i
		}
	}
	_ = scores[best]
	return best
}
