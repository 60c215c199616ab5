package dyck

import (
	"fmt"
	"slices"

	"pushdown/golden"
)

// R09: with a trained embedding of one number the Dyck-RNN fails, with two
// numbers and twice the hidden units it is perfect again, for every m. Failing
// is what most seeds do: the median counts, so that neither a lucky seed makes
// the claim false nor an unlucky one makes it true.
func init() {
	r09 := golden.Measure{Claim: "R09"}
	for _, m := range depths {
		for _, tag := range []string{"1d", "2d"} {
			r09.Cells = append(r09.Cells, golden.MeasureCell{
				Group: golden.Name(fmt.Sprintf("paper=resurgence/section=6.2/row=dyck-m%d-%s", m, tag)), Unit: "test-wcpa-%",
				Of: map[string]func([]float64) float64{"1d": median, "2d": slices.Min[[]float64]}[tag],
			})
		}
	}
	r09.Holds = func(v []float64) bool {
		for i := 0; i < len(v); i += 2 {
			if !(v[i] < 100 && v[i+1] == 100) {
				return false
			}
		}
		return true
	}
	golden.RegisterMeasure(r09)
}

// median is the middle value, the lower of two.
func median(sample []float64) float64 {
	sorted := slices.Sorted(slices.Values(sample))
	return sorted[(len(sorted)-1)/2]
}
