package wordlm

import (
	"testing"

	"pushdown/corpora/text"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/suites/lm"
)

// TestExchange trains a small network, and scores what it predicts for the validation and the test text. The values must be
// exactly those that Measure returns.
func TestExchange(t *testing.T) {
	dev := suite.Open(t)
	e := Table4()[1].Smoke()
	e.Limit = 1203 // more than are read at a time
	x := suitetest.Must(e.Build(1))(t)
	res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
	measured := suitetest.Must(e.Measure(dev, x, res))(t)
	set := suitetest.Must(e.Exchange())(t)
	words := suitetest.Must(lm.Words(e.Corpus))(t)
	records := ""
	for i, part := range []*text.Part[int32]{words.Valid, words.Test} {
		var nats []float32 // of a single column, in the order of the text
		suitetest.Must(train.Evaluate(x.Build, dev, lm.Columns(part, e.Limit, 1, evalSteps).Set(1), 1, res.Params, func(o *train.BatchOutput) error {
			nats = append(nats, o.Loss...)
			return nil
		}))(t)
		records += suitetest.Nats(t, set.Splits[i+1], append(nats, make([]float32, part.Tokens()-len(nats))...))
	}
	suitetest.CheckScore(t, set, records, measured.Value, x.Name)
}
