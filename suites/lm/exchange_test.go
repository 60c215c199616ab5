package lm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pushdown/corpora/text"
	"pushdown/harness/batch"
	"pushdown/harness/exchange"
	"pushdown/harness/golden"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// scoreOf writes the nats of each line in the format of package exchange, and scores them.
func scoreOf(t *testing.T, set *exchange.Set, nats [][]float32) (values []golden.Value) {
	t.Helper()
	file := bytes.NewBufferString(`{"data":"x"}` + "\n")
	for i := range slices.Backward(nats) {
		fmt.Fprintf(file, `{"string":%d,"nats":%s,"split":"test"}`+"\n", i, suitetest.Must(json.Marshal(nats[i]))(t))
	}
	p := suitetest.Must(exchange.Read(file, "predictions", set, "x"))(t)
	return suitetest.Must(set.Score(p))(t)
}

// TestExchange trains small networks, and scores what they predict for the test text. The values must be
// exactly those that Measure returns.
func TestExchange(t *testing.T) {
	dev := suite.Open(t)
	e := Resurgence(suite.RowID{Paper: "resurgence", Table: "2", Row: "test"}, "lstm", 1, 4, 4).Smoke()
	characters, stream, inner := e, e, WithoutEnds([]Sentences{e})[0]
	characters.Characters = true
	stream.Steps, stream.Limit = 10, 403
	for _, e := range []Sentences{e, characters, stream, inner} {
		x := suitetest.Must(e.Build(1))(t)
		res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
		measured := suitetest.Must(e.Measure(dev, x, res))(t)
		set := suitetest.Must(e.Exchange())(t)
		test := set.Splits[2]
		var nats [][]float32
		if e.Steps == 0 { // one line at a time
			var of train.Set
			var read []batch.Prefix
			if e.Characters {
				d := dataset(e, suitetest.Must(Characters(e.Corpus))(t).Test, 0)
				of, read = d.Set(1), d.List
			} else {
				d := dataset(e, suitetest.Must(Words(e.Corpus))(t).Test, 0)
				of, read = d.Set(1), d.List
			}
			for range test.Strings { // those that are not read have no numbers
				nats = append(nats, []float32{})
			}
			one := func(o *train.BatchOutput) error { nats[read[o.Index].String] = slices.Clone(o.Loss); return nil }
			suitetest.Must(train.Evaluate(x.Build, dev, of, 1, res.Params, one))(t)
		} else { // eight columns of 50 tokens
			words := suitetest.Must(Words(e.Corpus))(t)
			flat := make([]float32, words.Test.Tokens())
			suitetest.Must(train.Evaluate(x.Build, dev, testSet(e, words.Test), 1, res.Params, func(o *train.BatchOutput) error {
				for k, x := range o.Loss {
					flat[k%8*50+o.Index*10+k/8] = x
				}
				return nil
			}))(t)
			nats = lines(test, flat)
		}
		var want []golden.Value
		for _, m := range set.Metrics {
			v, ok := measured.Value(m.Unit)
			if !ok {
				t.Errorf("our network has no %s, want one", m.Unit)
			}
			want = append(want, golden.Value{Unit: m.Unit, Value: v})
		}
		suitetest.Equal(t, want, scoreOf(t, set, nats), "score of what the network predicts")
	}
}

// lines cuts a list of numbers, one for each token and end of a line, into lines.
func lines(s exchange.Split, flat []float32) (list [][]float32) {
	for i := range s.Strings {
		n := len(s.Text(i)) + 1
		list, flat = append(list, flat[:n]), flat[n:]
	}
	return list
}

// TestExchangeOfCounts scores equal probabilities, whose perplexity is the number of tokens, and those by how
// often tokens occur in the test text itself, whose cross-entropy is the entropy of these counts.
func TestExchangeOfCounts(t *testing.T) {
	e := Resurgence(suite.RowID{Paper: "resurgence", Table: "2", Row: "test"}, "lstm", 1, 4, 4)
	e.Corpus, e.Characters = "shakespeare", true
	set := suitetest.Must(e.Exchange())(t)
	of := suitetest.Must(Characters(e.Corpus))(t)
	count, total := make([]float64, of.Len()), 0.0
	var equal, counted [][]float32
	for i := range of.Test.Len() {
		for _, token := range of.Test.Target(i) {
			count[token]++
			total++
		}
	}
	for i := range of.Test.Len() {
		var a, b []float32
		for _, token := range of.Test.Target(i) {
			a, b = append(a, float32(math.Log(float64(of.Len())))), append(b, float32(-math.Log(count[token]/total)))
		}
		equal, counted = append(equal, a), append(counted, b)
	}
	entropy := 0.0
	for _, n := range count {
		if n > 0 {
			entropy -= n / total * math.Log(n/total)
		}
	}
	for _, c := range []struct {
		name string
		nats [][]float32
		want float64
	}{{"equal", equal, math.Log(float64(of.Len()))}, {"counted", counted, entropy}} {
		values := scoreOf(t, set, c.nats)
		if have := values[0].Value; math.Abs(have-c.want) > 1e-6 || math.Abs(values[1].Value-metric.BitsPerCharacter(c.want)) > 2e-6 {
			t.Errorf("%s: have %v, want %v nats", c.name, values, c.want)
		}
	}
}

// TestExchangeHasNoWords checks that neither the manifest nor a file of a data set has a word of its text.
func TestExchangeHasNoWords(t *testing.T) {
	e := Resurgence(suite.RowID{Paper: "resurgence", Table: "2", Row: "test"}, "lstm", 1, 4, 4).Smoke()
	set := suitetest.Must(e.Exchange())(t)
	if set.Alphabet != nil || set.Closing != nil || set.Tokens < 1000 || text.End != 0 {
		t.Errorf("have an alphabet of %d and %d tokens, want numbers only", len(set.Alphabet), set.Tokens)
	}
	for _, s := range set.Splits {
		if s.Labels != nil || s.More != nil {
			t.Errorf("%s: have other files, want main.tok alone", s.Name)
		}
	}
}
