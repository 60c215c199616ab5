package trial

import (
	"fmt"
	"math"
	"slices"

	"pushdown/harness/numeric"
)

// A Plan says what a gate has to see, and how often it may be wrong.
type Plan struct {
	Comparisons int     // how many there are in a run
	Alarm       float64 // accepted chance that a run without any loss raises an alarm
	Loss        float64 // the loss of speed that has to be seen, 0.05 for 5 %
	Miss        float64 // accepted chance that it is not
}

// Check returns what is wrong with a plan.
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

// Most bounds the answer of Need: no number of rounds that anybody would take.
const Most = 99_999

// Need returns how many rounds suffice to see the loss of the plan under the
// noise of a trial. The trial has enough if that is no more than its own.
func (p Plan) Need(t *Trial) int {
	share := p.Alarm / float64(p.Comparisons)
	least := fewest(share)
	if t.Runs() < Rounds {
		return least
	}
	chance := t.separation(p.Loss)
	if chance <= 0.5 {
		return Most
	}
	reach := -numeric.NormalQuantile(share) - float64(2*numeric.NormalQuantile(p.Miss)*math.Sqrt(chance*(1-chance)))
	reach /= chance - 0.5
	n := (2*Rounds + 1) / (12.0 * Rounds) * float64(reach*reach)
	return max(least, int(min(Most, math.Ceil(n))))
}

// separation estimates the chance that a run that has lost some of its speed is
// slower than one of the same block that has not. Half a pair of each kind is
// added, so that it is never certain.
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

// fewest returns the rounds below which not even runs that are all slower are
// beyond chance.
func fewest(share float64) int {
	n := 1
	for distribution(n)[0] > share {
		n++
	}
	return n
}

// Holm returns the chances p corrected for their number, in the same order: those
// at most as large as the accepted chance of an alarm are findings. See Holm
// (1979), A simple sequentially rejective multiple test procedure, Scandinavian
// Journal of Statistics 6, 65-70.
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
