package wikitext

import (
	"pushdown/harness/exchange"
	"pushdown/suites/lm"
)

// Exchange returns the strings of the row.
func (e Model) Exchange() (*exchange.Set, error) {
	t, err := lm.Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	set := lm.ExchangeText(t, 0, lm.Continued)
	lm.ExchangeColumns(set, t, e.Limit, e.Columns, e.Steps, false)
	// The suite has no unit test-ce, and its valid-ce is another.
	var list []exchange.Metric
	for i := 1; i < len(set.Metrics); i += 2 {
		m := set.Metrics[i]
		m.Definition = "the perplexity: e to the power of " + set.Metrics[i-1].Definition
		list = append(list, m)
	}
	set.Metrics = list
	return set, nil
}
