package wikitext

import (
	"testing"

	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/verdict"
)

// TestClaims checks the claims that the suite measures on invented runs of three seeds. A claim
// must hold for runs that are just good enough, and fail if the runs of one row are not.
func TestClaims(t *testing.T) {
	rows := Table2()[1:]
	for _, c := range []struct {
		claim, unit string
		good, bad   float64
		seeds       int // number of bad seeds, of three
	}{
		{"S09Text", "cosine-max", 0.999999, 1 - 0x1p-40, 2},
		{"S11Text", "cell-by-symbol", 1, 0, 3},
	} {
		decide := func(bad string) verdict.Outcome {
			found := suitetest.Claims(t, &Suite, suite.Seeds(3, rows...), func(r suite.Row, seed int, unit string) (float64, bool) {
				if r.ID().Row == bad && seed <= c.seeds {
					return c.bad, unit == c.unit
				}
				return c.good, unit == c.unit
			})
			return found[c.claim]
		}
		if have := decide(""); have != verdict.Holds {
			t.Errorf("%s of %v: have %s, want %s", c.claim, c.good, have, verdict.Holds)
		}
		for _, e := range rows {
			if have := decide(e.Row.Row); have != verdict.Fails {
				t.Errorf("%s of %v in %s: have %s, want %s", c.claim, c.bad, e.Row.Row, have, verdict.Fails)
			}
		}
	}
}
