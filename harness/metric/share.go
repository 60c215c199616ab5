package metric

import (
	"fmt"
	"math/bits"
)

// Share is a number of correct cases and the number of all cases, as integers.
type Share struct {
	Correct int64 `json:"correct"`
	Cases   int64 `json:"cases"`
}

// Percent returns 100*Correct/Cases, rounded once. So it is 100 only if all cases are
// correct. It is NaN if there are no cases.
func (s Share) Percent() float64 { return float64(100*s.Correct) / float64(s.Cases) }

// String returns the share as a fraction and in per cent.
func (s Share) String() string {
	return fmt.Sprintf("%d/%d (%.2f%%)", s.Correct, s.Cases, s.Percent())
}

// less reports whether s is less than t, without rounding. Both must have at least one
// case.
func (s Share) less(t Share) bool {
	sHigh, sLow := bits.Mul64(uint64(s.Correct), uint64(t.Cases))
	tHigh, tLow := bits.Mul64(uint64(t.Correct), uint64(s.Cases))
	return sHigh < tHigh || sHigh == tHigh && sLow < tLow
}

// Count is the share at one distance.
type Count struct {
	Distance int `json:"distance"`
	Share
}

// String returns the distance and its share.
func (c Count) String() string { return fmt.Sprintf("distance %d: %v", c.Distance, c.Share) }

// Accuracy counts right answers. The zero Accuracy is empty and ready to use.
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

// Argmax returns the index of the largest score, and the lowest such index if several
// scores are equal. A NaN is skipped unless it is at index 0. Argmax compares each
// score with the largest one so far, and none exceeds a NaN, so a NaN at index 0 makes
// the result 0. Argmax panics if there are no scores.
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
