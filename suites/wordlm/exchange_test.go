package wordlm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"pushdown/harness/exchange"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/suites/lm"
)

// TestExchange trains a small network, and scores what it predicts for the test text. The values must be
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
	var nats []float32 // of a single column, in the order of the text
	suitetest.Must(train.Evaluate(x.Build, dev, lm.Columns(words.Test, e.Limit, 1, evalSteps).Set(1), 1, res.Params, func(o *train.BatchOutput) error {
		nats = append(nats, o.Loss...)
		return nil
	}))(t)
	nats = append(nats, make([]float32, words.Test.Tokens()-len(nats))...)
	file := bytes.NewBufferString(`{"data":"x"}` + "\n")
	for i := range set.Splits[2].Strings {
		n := len(set.Splits[2].Text(i)) + 1
		fmt.Fprintf(file, `{"split":"test","string":%d,"nats":%s}`+"\n", i, suitetest.Must(json.Marshal(nats[:n]))(t))
		nats = nats[n:]
	}
	p := suitetest.Must(exchange.Read(file, "predictions", set, "x"))(t)
	for i, v := range suitetest.Must(set.Score(p))(t) {
		if want, ok := measured.Value(set.Metrics[i].Unit); !ok || v.Unit != set.Metrics[i].Unit || v.Value != want {
			t.Errorf("have %v, want %v %s", v, want, set.Metrics[i].Unit)
		}
	}
}
