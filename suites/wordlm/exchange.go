package wordlm

import (
	"pushdown/harness/exchange"
	"pushdown/suites/lm"
)

// Exchange returns the strings of the row.
func (e Stream) Exchange() (*exchange.Set, error) {
	t, err := lm.Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	set := lm.ExchangeText(t, 0, lm.Continued)
	lm.ExchangeColumns(set, t, e.Limit, 1, evalSteps, false)
	return set, nil
}
