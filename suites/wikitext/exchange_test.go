package wikitext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/suites/lm"
)

// TestExchange scores what the kept networks predict for the test text. The values must be exactly those in the
// golden file.
func TestExchange(t *testing.T) {
	dev := suite.Open(t)
	g := suitetest.Must(Suite.Golden(suite.CI))(t)
	for _, e := range Embedded()[:2] {
		words := suitetest.Must(lm.Words(e.Corpus))(t)
		model := suitetest.Must(e.Network(words.Len(), true))(t)
		set := suitetest.Must(e.Exchange())(t)
		flat := make([]float32, words.Test.Tokens())
		length := len(flat) / e.Columns
		suitetest.Must(train.Evaluate(model.Build, dev, lm.Columns(words.Test, 0, e.Columns, e.Steps).Set(e.Columns), 1,
			suitetest.Must(train.ReadParams(suite.TrainedFile(e)))(t), func(o *train.BatchOutput) error {
				for k, x := range o.Loss {
					flat[k%e.Columns*length+o.Index*e.Steps+k/e.Columns] = x
				}
				return nil
			}))(t)
		file := bytes.NewBufferString(`{"data":"x"}` + "\n")
		for i := range set.Splits[2].Strings {
			n := len(set.Splits[2].Text(i)) + 1
			fmt.Fprintf(file, `{"split":"test","string":%d,"nats":%s}`+"\n", i, suitetest.Must(json.Marshal(flat[:n]))(t))
			flat = flat[n:]
		}
		p := suitetest.Must(exchange.Read(file, "predictions", set, "x"))(t)
		want, ok := g.Seeds(e.Row.Group())[0].Value("test-ppl")
		suitetest.Equal(t, []golden.Value{{Unit: "test-ppl", Value: want}}, suitetest.Must(set.Score(p))(t), "%s (in the golden file: %t)", e.Row.Row, ok)
	}
}
