package syneval

import (
	"fmt"
	"strings"
	"testing"

	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
)

// TestExchange scores what the kept networks say of the sentences of each category. The values must be exactly
// those in the golden file.
func TestExchange(t *testing.T) {
	dev := suite.Open(t)
	g := suitetest.Must(Suite.Golden(suite.CI))(t)
	rows := 0
	for _, c := range table3(suite.CI).Computed {
		row, ok := c.About.(exchange.Row)
		if !ok {
			continue
		}
		rows++
		set := suitetest.Must(row.Exchange())(t)
		of := row.(comparison)
		for _, n := range networks(true) {
			if n.name != of.Place.Row {
				continue
			}
			sums := suitetest.Must(n.score(dev, 1, of.Category))(t).sums
			var records strings.Builder
			for i := range set.Splits[0].Strings {
				sentence := string(set.Splits[0].More[0].Line(nil, i))
				if have, want := len(set.Splits[0].Text(i)), len(strings.Fields(sentence))+1; have != want {
					t.Errorf("%q: have %d numbers, want %d for its words and a full stop", sentence, have, want)
				}
				fmt.Fprintf(&records, `{"split":"test","string":%d,"nats":[%v]}`+"\n", i, sums[sentence])
			}
			var want []golden.Value
			for _, m := range set.Metrics {
				if v, ok := g.Seeds(of.Place.Group())[0].Value(m.Unit); ok {
					want = append(want, golden.Value{Unit: m.Unit, Value: v})
				}
			}
			suitetest.Equal(t, want, suitetest.Score(t, set, records.String()), "%s", of.Place.Group())
		}
	}
	if want := 3 * len(Categories()); rows != want {
		t.Errorf("have %d rows, want %d", rows, want)
	}
}
