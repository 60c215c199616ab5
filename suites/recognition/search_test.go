package recognition

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
)

// TestChosen checks that the searches whose results are all in the golden file have chosen what chosen says,
// and that there are no other choices.
func TestChosen(t *testing.T) {
	g := suitetest.Must(Suite.Golden(suite.Paper))(t)
	want := map[string]map[Network][]settings{}
	for _, number := range []string{"1", "2", "3", "4"} {
		for _, language := range languages(number) {
			for _, n := range Networks() {
				type mean struct {
					settings
					loss float64
				}
				var all []mean
				for _, e := range Grid(number, language, n) {
					if v := g.Values(e.Row.Group(), "valid-ce"); len(v) == searchSeeds {
						all = append(all, mean{settings{max(1, e.Stacks), e.Batch}, golden.Mean(v)})
					}
				}
				if len(all) < len(Grid(number, language, n)) {
					continue
				}
				least := func(a, b mean) int { return cmp.Compare(a.loss, b.loss) }
				best := slices.MinFunc(all, least)
				list := []settings{best.settings}
				if best.stacks > 1 {
					one := slices.DeleteFunc(all, func(m mean) bool { return m.stacks > 1 })
					list = append(list, slices.MinFunc(one, least).settings)
				}
				if want[language] == nil {
					want[language] = map[Network][]settings{}
				}
				want[language][n] = list
			}
		}
	}
	if diff := gocmp.Diff(want, chosen, gocmp.AllowUnexported(settings{})); diff != "" {
		t.Errorf("chosen: have other settings than those with the lowest mean validation loss (-want +have):\n%s", diff)
	}
}
