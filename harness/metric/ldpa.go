package metric

import "fmt"

// LDPA counts closing brackets, and how many of them are predicted, separately for each
// distance from the opening bracket. An LDPA is not safe for concurrent use.
type LDPA struct {
	rule      Rule
	cases     []int64 // by distance
	correct   []int64
	undefined int64
}

// NewLDPA returns an accumulator with room for distances up to longest. It grows
// for larger distances.
func NewLDPA(rule Rule, longest int) *LDPA {
	return &LDPA{rule: rule, cases: make([]int64, longest+1), correct: make([]int64, longest+1)}
}

// AddRow counts one closing bracket. The slice closes holds the probabilities of all closing
// brackets, and want is the index of the right one. AddRow adds the probabilities in float64
// from first to last. No other rounding affects whether the bracket counts as predicted. If the share of the right bracket in the sum is not defined, the
// bracket counts as not predicted, and the method Undefined counts it as well. This is so for
// a sum of 0, a NaN, an infinity, or a negative probability. AddRow panics if the distance is
// negative.
func (l *LDPA) AddRow(distance int, closes []float32, want int) {
	all := 0.0
	for _, p := range closes {
		all += float64(p)
	}
	l.add(distance, float64(closes[want]), all)
}

// AddShare counts one closing bracket like [LDPA.AddRow], given the share of the right bracket in the
// sum of the probabilities of all closing brackets.
func (l *LDPA) AddShare(distance int, share float64) { l.add(distance, share, 1) }

func (l *LDPA) add(distance int, probTrue, probAll float64) {
	if distance >= len(l.cases) {
		l.grow(distance)
	} else if distance < 0 {
		panic(fmt.Sprintf("metric: distance is %d, want 0 or more", distance))
	}
	l.cases[distance]++
	switch {
	case !defined(probTrue, probAll):
		l.undefined++
	case l.rule.met(probTrue, probAll):
		l.correct[distance]++
	}
}

// grow makes room for distances up to 2*distance+1, more than is needed now, so that grow is
// rarely called.
func (l *LDPA) grow(distance int) {
	more := 2*(distance+1) - len(l.cases)
	l.cases = append(l.cases, make([]int64, more)...)
	l.correct = append(l.correct, make([]int64, more)...)
}

// Undefined returns the number of closing brackets for which AddRow could not divide the two
// probabilities, for example because one is NaN. If there are any, the model is broken,
// and Worst returns an error.
func (l *LDPA) Undefined() int64 { return l.undefined }

// Counts returns the counts of the distances that occur, shortest first.
func (l *LDPA) Counts() []Count {
	var list []Count
	for d, cases := range l.cases {
		if cases > 0 {
			list = append(list, Count{Distance: d, Share: Share{Correct: l.correct[d], Cases: cases}})
		}
	}
	return list
}

// Total returns the share over all distances, which is the plain accuracy under the
// rule.
func (l *LDPA) Total() Share {
	var total Share
	for d, cases := range l.cases {
		total.Cases += cases
		total.Correct += l.correct[d]
	}
	return total
}

// Worst returns the lowest share over the distances with at least leastCases cases. If
// leastCases is 1 or less, this is the WCPA as published. Of equal shares Worst returns
// the one at the shortest distance. It returns an error if no distance has enough cases,
// or if Undefined is not 0, because a broken model has no accuracy.
func (l *LDPA) Worst(leastCases int64) (Count, error) {
	if l.undefined > 0 {
		return Count{}, fmt.Errorf("worst-case prediction accuracy: the model gives no share for %d of %d closing brackets, want numbers for all", l.undefined, l.Total().Cases)
	}
	var worst, most Count
	for _, c := range l.Counts() {
		if c.Cases > most.Cases {
			most = c
		}
		if c.Cases >= leastCases && (worst.Cases == 0 || c.less(worst.Share)) {
			worst = c
		}
	}
	if most.Cases == 0 {
		return Count{}, fmt.Errorf("worst-case prediction accuracy: have no closing brackets, want at least 1")
	}
	if worst.Cases == 0 {
		return Count{}, fmt.Errorf("worst-case prediction accuracy: no distance has %d cases; the most, %d, are at distance %d", leastCases, most.Cases, most.Distance)
	}
	return worst, nil
}
