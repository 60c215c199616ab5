package wikitext

import (
	"testing"

	"pushdown/corpora/text"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/suites/lm"
)

// TestExchange scores what the kept networks predict for the validation and the test text. The values must be exactly those in the
// golden file.
func TestExchange(t *testing.T) {
	dev := suite.Open(t)
	g := suitetest.Must(Suite.Golden(suite.CI))(t)
	for _, e := range Embedded()[:2] {
		words := suitetest.Must(lm.Words(e.Corpus))(t)
		model := suitetest.Must(e.Network(words.Len(), true))(t)
		set := suitetest.Must(e.Exchange())(t)
		records := ""
		for i, part := range []*text.Part[int32]{words.Valid, words.Test} {
			flat := make([]float32, part.Tokens())
			length := len(flat) / e.Columns
			suitetest.Must(train.Evaluate(model.Build, dev, lm.Columns(part, 0, e.Columns, e.Steps).Set(e.Columns), 1,
				suitetest.Must(train.ReadParams(suite.TrainedFile(e)))(t), func(o *train.BatchOutput) error {
					for k, x := range o.Loss {
						flat[k%e.Columns*length+o.Index*e.Steps+k/e.Columns] = x
					}
					return nil
				}))(t)
			records += suitetest.Nats(t, set.Splits[i+1], flat)
		}
		suitetest.CheckScore(t, set, records, g.Seeds(e.Row.Group())[0].Value, e.Row.Row)
	}
}
