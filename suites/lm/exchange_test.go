package lm

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pushdown/corpora/text"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
)

// TestExchange trains small networks, and scores what they predict for the validation and the test text. The values must be
// exactly those that Measure returns.
func TestExchange(t *testing.T) {
	e := Resurgence(suite.RowID{Paper: "resurgence", Table: "2", Row: "test"}, "lstm", 1, 4, 4).Smoke()
	characters, stream, inner := e, e, WithoutEnds([]Sentences{e})[0]
	characters.Characters = true
	stream.Steps, stream.Limit = 10, 403
	for _, e := range []Sentences{e, stream, inner} {
		checkExchange(t, e, suitetest.Must(Words(e.Corpus))(t))
	}
	checkExchange(t, characters, suitetest.Must(Characters(e.Corpus))(t))
}

func checkExchange[T text.Token](t *testing.T, e Sentences, of *text.Text[T]) {
	t.Helper()
	dev := suite.Open(t)
	x := suitetest.Must(e.Build(1))(t)
	res := suitetest.Must(train.Run(x, train.Options{Device: dev}))(t)
	measured := suitetest.Must(e.Measure(dev, x, res))(t)
	set := suitetest.Must(e.Exchange())(t)
	records := ""
	for i, part := range []*text.Part[T]{of.Valid, of.Test} {
		split := set.Splits[i+1]
		if e.Steps == 0 { // one line at a time
			d := dataset(e, part, 0)
			var nats [][]float32
			for range split.Strings { // those that are not read have no numbers
				nats = append(nats, []float32{})
			}
			one := func(o *train.BatchOutput) error { nats[d.List[o.Index].String] = slices.Clone(o.Loss); return nil }
			suitetest.Must(train.Evaluate(x.Build, dev, d.Set(1), 1, res.Params, one))(t)
			records += suitetest.NatsByLine(t, split, nats)
			continue
		}
		flat := make([]float32, part.Tokens()) // eight columns of 50 tokens
		suitetest.Must(train.Evaluate(x.Build, dev, testSet(e, part), 1, res.Params, func(o *train.BatchOutput) error {
			for k, x := range o.Loss {
				flat[k%8*50+o.Index*10+k/8] = x
			}
			return nil
		}))(t)
		records += suitetest.Nats(t, split, flat)
	}
	suitetest.CheckScore(t, set, records, measured.Value, string(e.Row.Group()))
}

// TestExchangeOfCutLines looks at the training lines of a row that cuts them.
func TestExchangeOfCutLines(t *testing.T) {
	e := Resurgence(suite.RowID{Paper: "resurgence", Table: "3", Row: "test"}, "lstm", 1, 4, 4).Smoke()
	e.Characters, e.Cut = true, 7
	set := suitetest.Must(e.Exchange())(t)
	of := suitetest.Must(Characters(e.Corpus))(t)
	for i := range set.Splits[0].Strings {
		if have, want := len(set.Splits[0].Text(i)), min(7, len(of.Train.Body(i))); have != want {
			t.Errorf("line %d: have %d characters, want %d", i, have, want)
		}
	}
	if have := set.Splits[0].About; !strings.Contains(have, "more than 7 characters") {
		t.Errorf("have %q, want that lines are cut", have)
	}
	if have, want := len(set.Splits[2].Text(0)), len(of.Test.Body(0)); have != want {
		t.Errorf("test: have %d characters, want %d", have, want)
	}
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
		values := suitetest.Score(t, set, suitetest.NatsByLine(t, set.Splits[2], c.nats))
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
