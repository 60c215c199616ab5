package trial

import (
	"cmp"
	"math"
	"slices"

	"pushdown/harness/numeric"
)

const (
	// Alarm is the accepted probability of an alarm in a run without any loss, and of a miss of a
	// loss. It is half of the promised 1 %, because the number of samples depends on the noise,
	// which is only estimated.
	Alarm = 0.005
	miss  = Alarm
)

// MaxRounds is the greatest value that Need returns, far more rounds than are
// practical.
const MaxRounds = 99_999

// Need returns the number of rounds that suffice to detect a loss, such as 0.05 for 5 %, with
// the noise of the trial, if it is one of several comparisons. The trial has enough rounds if
// Need is at most t.Runs.
func (t *Trial) Need(loss float64, comparisons int) int {
	share := Alarm / float64(comparisons)
	least := fewest(share)
	if t.Runs() < Rounds {
		return least
	}
	chance := t.separation(loss)
	if chance <= 0.5 {
		return MaxRounds
	}
	reach := -numeric.NormalQuantile(share) - float64(2*numeric.NormalQuantile(miss)*math.Sqrt(chance*(1-chance)))
	reach /= chance - 0.5
	n := (2*Rounds + 1) / (12.0 * Rounds) * float64(reach*reach)
	return max(least, int(min(MaxRounds, math.Ceil(n))))
}

// separation estimates the probability that a run whose speed is reduced by the given loss
// is slower than an unchanged run of the same block. It adds one tied pair to the pairs of
// the trial, so that the estimate is never 0 or 1.
func (t *Trial) separation(loss float64) float64 {
	slow := -numeric.Log64(1 - loss)
	halves, all := 1, 2
	for _, d := range t.same() {
		halves += half(slow-d) + half(slow+d)
		all += 4
	}
	return float64(halves) / float64(all)
}

// fewest returns the smallest number of rounds with which a loss can be significant: chance
// alone must cause it with at most the probability in the parameter share. The clearest
// possible loss is that every run of head is slower than every run of base. With too few
// rounds, chance causes even this loss too often.
func fewest(share float64) int {
	n := 1
	for distribution(n)[0] > share {
		n++
	}
	return n
}

// Holm returns the probabilities p corrected for multiple comparisons, in the same
// order. A comparison is significant if its corrected probability is at most the
// accepted probability of an alarm. See Holm (1979), A simple sequentially rejective
// multiple test procedure, Scandinavian Journal of Statistics 6, 65-70.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	corrected, highest := make([]float64, len(p)), 0.0
	for rank, i := range order {
		highest = max(highest, min(1, float64(len(p)-rank)*p[i]))
		corrected[i] = highest
	}
	return corrected
}
