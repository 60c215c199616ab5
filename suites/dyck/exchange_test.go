package dyck

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/exchange"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/models"
)

// A row is one whose strings can be exported and which our networks are trained on.
type row interface {
	suite.Row
	Exchange() (*exchange.Set, error)
}

// TestExchange trains small networks, writes what they predict for the test strings in the format of
// package exchange, and scores it. The values must be exactly those that Measure returns.
func TestExchange(t *testing.T) {
	dev := suite.Open(t)
	readout := Readouts(4)[0].Smoke()
	for _, row := range []row{Table2()[0].Smoke(), readout, second(4, Baseline).Smoke(), second(6, Assignment).Smoke()} {
		x := suitetest.Must(row.Build(1))(t)
		res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
		measured := suitetest.Must(row.Measure(dev, x, res))(t)
		checkScore(t, row, res.Params, measured.Value)
	}
}

// TestExchangeOfKeptParameters does the same with kept parameters and the values in the golden file.
func TestExchangeOfKeptParameters(t *testing.T) {
	g := suitetest.Must(Suite.Golden(suite.CI))(t)
	for _, row := range []row{ReducedReadouts()[0], Reduced()[0]} {
		file := suite.TrainedFile(row)
		checkScore(t, row, suitetest.Must(train.ReadParams(file))(t), g.Seeds(row.ID().Group())[0].Value)
	}
}

// checkScore scores what a network predicts. The parameter value returns the value that the score
// must have in a unit.
func checkScore(t *testing.T, row row, params *train.Params, value func(unit string) (float64, bool)) {
	t.Helper()
	set := suitetest.Must(row.Exchange())(t)
	var records strings.Builder
	for _, s := range set.Splits {
		var closers [][]float64
		var nats [][]float32
		switch e := row.(type) {
		case Experiment:
			if s.Scored {
				closers, nats = predictions(t, e, params)
			}
		case LanguageModel:
			if s.Scored || s.Optional {
				closers, nats = sentencePredictions(t, e, params, formal.Split(s.Name))
			}
		}
		for i := range slices.Backward(closers) {
			fmt.Fprintf(&records, `{"string": %d, "nats": %s, "split": %q, "closers": %s}`+"\n", i, text(t, nats[i]), s.Name, text(t, closers[i]))
		}
	}
	suitetest.CheckScore(t, set, records.String(), value, string(row.ID().Group()))
}

func text(t *testing.T, list any) []byte { return suitetest.Must(json.Marshal(list))(t) }

// share returns the share of a number in the sum of a list.
func share(list []float32, of int) float64 {
	sum := 0.0
	for _, p := range list {
		sum += float64(p)
	}
	return float64(list[of]) / sum
}

// predictions evaluates a network one string at a time, and returns for each closing bracket of
// each string its probability and its loss.
func predictions(t *testing.T, e Experiment, p *train.Params) (closers [][]float64, nats [][]float32) {
	lang, corpus := suitetest.Must2(e.Sample(formal.Test))(t)
	model := suitetest.Must(e.Model(e.M, e.K))(t)
	suitetest.Must(train.Evaluate(model.Build, suite.Open(t), NewStrings(lang, corpus, 1), 1, p, func(o *train.BatchOutput) error {
		prob, err := o.Output(models.OutputProb, e.K)
		var list []float64
		for i, kind := range o.Batch.Target {
			list = append(list, share(prob[i*e.K:(i+1)*e.K], int(kind)))
		}
		closers, nats = append(closers, list), append(nats, slices.Clone(o.Loss))
		return err
	}))(t)
	return closers, nats
}

// sentencePredictions does the same for a language model, and returns the losses of all symbols.
func sentencePredictions(t *testing.T, e LanguageModel, p *train.Params, split formal.Split) (closers [][]float64, nats [][]float32) {
	lang, corpus := suitetest.Must2(e.Sample(split))(t)
	model := suitetest.Must(e.model(true))(t)
	suitetest.Must(train.Evaluate(model.Build, suite.Open(t), NewSentences(lang, corpus, 1), 1, p, func(o *train.BatchOutput) error {
		width := lang.Vocabulary()
		prob, err := o.Output(models.OutputProb, width)
		var list []float64
		for i, token := range corpus.Body(o.Index) {
			if int(token) >= lang.K {
				list = append(list, share(prob[i*width+lang.K:i*width+2*lang.K], int(token)-lang.K))
			}
		}
		closers, nats = append(closers, list), append(nats, slices.Clone(o.Loss))
		return err
	}))(t)
	return closers, nats
}
