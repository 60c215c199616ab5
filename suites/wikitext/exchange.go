package wikitext

import (
	"slices"

	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/suites/lm"
)

// Exchange returns the strings of the row.
func (e Model) Exchange() (*exchange.Set, error) {
	t, err := lm.Words(e.Corpus)
	if err != nil {
		return nil, err
	}
	set := lm.ExchangeText(t, 0, lm.Continued)
	lm.ExchangeColumns(set, t.Test, e.Limit, e.Columns, e.Steps, false)
	score := set.Score // the suite has no unit test-ce
	set.Metrics[1].Definition = "the perplexity: e to the power of " + set.Metrics[0].Definition
	set.Metrics = set.Metrics[1:]
	set.Score = func(p *exchange.Predictions) ([]golden.Value, error) {
		values, err := score(p)
		return slices.DeleteFunc(values, func(v golden.Value) bool { return v.Unit != set.Metrics[0].Unit }), err
	}
	return set, nil
}
