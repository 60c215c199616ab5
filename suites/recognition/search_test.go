package recognition

import (
	"cmp"
	"slices"
	"testing"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
)

// TestChosen checks that the searches, whose results are all in the golden file, have chosen what chosen says.
func TestChosen(t *testing.T) {
	g := suitetest.Must(Suite.Golden(suite.Paper))(t)
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
					t.Errorf("%s on %s: have %d settings with losses, want %d", n, language, len(all), len(Grid(number, language, n)))
					continue
				}
				least := func(a, b mean) int { return cmp.Compare(a.loss, b.loss) }
				best := slices.MinFunc(all, least)
				want := []settings{best.settings}
				if best.stacks > 1 {
					one := slices.DeleteFunc(all, func(m mean) bool { return m.stacks > 1 })
					want = append(want, slices.MinFunc(one, least).settings)
				}
				if have := chosen(language, n); !slices.Equal(have, want) {
					t.Errorf("%s on %s: have chosen %v, want %v with the lowest mean validation losses", n, language, have, want)
				}
			}
		}
	}
}
