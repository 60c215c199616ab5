package trial

import (
	"fmt"
	"math"
	"slices"

	"pushdown/harness/numeric"
)

// A Plan sets the loss that a gate has to detect, and how often it may be wrong.
type Plan struct {
	Comparisons int     // number of comparisons in a run
	Alarm       float64 // accepted probability of an alarm in a run without any loss
	Loss        float64 // the loss of speed to detect, 0.05 for 5 %
	Miss        float64 // accepted probability of missing such a loss
}

// Check returns an error if a field of the plan is out of range.
func (p Plan) Check() error {
	for _, f := range []struct {
		name   string
		value  float64
		at, to float64
	}{{"alarm", p.Alarm, 0, 0.5}, {"loss", p.Loss, 0, 1}, {"miss", p.Miss, 0, 0.5}} {
		if !(f.value > f.at && f.value < f.to) {
			return fmt.Errorf("%s: have %v, want more than %v and less than %v", f.name, f.value, f.at, f.to)
		}
	}
	if p.Comparisons < 1 {
		return fmt.Errorf("comparisons: have %d, want at least 1", p.Comparisons)
	}
	return nil
}

// MaxRounds is the greatest value that Need returns, far more rounds than are
// practical.
const MaxRounds = 99_999

// Need returns the number of rounds that suffice to detect the loss of the plan with
// the noise of the trial. The trial has enough rounds if Need is at most t.Runs.
func (p Plan) Need(t *Trial) int {
	share := p.Alarm / float64(p.Comparisons)
	least := fewest(share)
	if t.Runs() < Rounds {
		return least
	}
	chance := t.separation(p.Loss)
	if chance <= 0.5 {
		return MaxRounds
	}
	reach := -numeric.NormalQuantile(share) - float64(2*numeric.NormalQuantile(p.Miss)*math.Sqrt(chance*(1-chance)))
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
	t.same(func(diff float64) {
		all += 4
		for _, d := range []float64{diff, -diff} {
			switch {
			case d < slow:
				halves += 2
			case d == slow:
				halves++
			}
		}
	})
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
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case p[i] < p[j]:
			return -1
		case p[i] > p[j]:
			return 1
		}
		return 0
	})
	corrected, highest := make([]float64, len(p)), 0.0
	for rank, i := range order {
		highest = max(highest, min(1, float64(len(p)-rank)*p[i]))
		corrected[i] = highest
	}
	return corrected
}
