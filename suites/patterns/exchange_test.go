package patterns

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pushdown/corpora/formal"
	"pushdown/harness/exchange"
	"pushdown/harness/metric"
	"pushdown/harness/suite"
	"pushdown/harness/suite/suitetest"
	"pushdown/harness/train"
	"pushdown/models"
)

// TestExchange scores what the kept network of the short run predicts. The values must be exactly those in
// the golden file.
func TestExchange(t *testing.T) {
	e := Short()[0]
	set := suitetest.Must(e.Exchange())(t)
	test := suitetest.Must(NewTest(e.Task, testSeed, shortest, e.Longest, e.PerLength))(t)
	m := suitetest.Must(e.Network(1).Model(e.Task, Memory{Cells: e.Cells}))(t)
	var symbols []string // of the whole stream, without the first
	suitetest.Must(train.Evaluate(m.Build, suite.Open(t), everySymbol{test.StreamSet}, 0, suitetest.Must(train.ReadParams(suite.TrainedFile(e)))(t), func(o *train.BatchOutput) error {
		logits, err := o.Output(models.OutputLogits, m.Vocabulary)
		for i := range o.Loss {
			symbols = append(symbols, set.Alphabet[metric.Argmax(logits[i*m.Vocabulary:(i+1)*m.Vocabulary])])
		}
		return err
	}))(t)
	symbols = append([]string{""}, symbols...)
	g := suitetest.Must(Suite.Golden(suite.CI))(t)
	suitetest.CheckScore(t, set, records(t, set, func(i int, n int) []string {
		list := symbols[:n]
		symbols = symbols[n:]
		return list
	}), g.Seeds(e.Row.Group())[0].Value, e.Row.Row)
}

// everySymbol is a test in which every symbol is predicted.
type everySymbol struct{ *train.StreamSet }

func (s everySymbol) Fill(i int, b *train.Batch) {
	s.StreamSet.Fill(i, b)
	b.ExampleRows, b.Target = b.ExampleRows[:0], b.Target[:0]
	for at := range b.Token {
		b.ExampleRows, b.Target = append(b.ExampleRows, int32(at)), append(b.Target, 0)
	}
}

// records returns records of predictions; symbols returns those of string i, which has n symbols.
func records(t *testing.T, set *exchange.Set, symbols func(i, n int) []string) string {
	t.Helper()
	var file strings.Builder
	for i := range set.Splits[2].Strings {
		fmt.Fprintf(&file, `{"split":"test","string":%d,"symbols":%s}`+"\n", i, suitetest.Must(json.Marshal(symbols(i, len(set.Splits[2].Text(i)))))(t))
	}
	return file.String()
}

// TestExchangeOfTrainingStrings checks that the training strings are those that a run reads.
func TestExchangeOfTrainingStrings(t *testing.T) {
	e := Short()[0]
	train := suitetest.Must(e.Exchange())(t).Splits[0]
	stream := suitetest.Must(e.training())(t)
	suitetest.Equal(t, e.Epochs*e.Epoch, train.Strings, "number of training strings")
	for _, i := range []int{0, 1, e.Epoch, train.Strings - 1} {
		var read []int32
		for _, symbol := range stream.draw(i).Tokens {
			read = append(read, int32(symbol))
		}
		suitetest.Equal(t, read, train.Text(i), "training string %d", i)
	}
	long := e
	long.Epochs, long.Epoch = 1000, 2000
	if have := suitetest.Must(long.Exchange())(t).Splits[0]; have.Strings != exchanged || !strings.Contains(have.About, "a run has up to 1000 epochs") {
		t.Errorf("have %d strings, %s, want %d and that a run has more", have.Strings, have.About, exchanged)
	}
}

// TestExchangeOfPerfectSymbols scores the strings of each task as predictions of themselves, and
// predictions that leave out one string of length 30.
func TestExchangeOfPerfectSymbols(t *testing.T) {
	tasks := map[formal.Pattern]bool{}
	for _, e := range append(Table2(), Figure2()...) {
		if tasks[e.Task] {
			continue
		}
		tasks[e.Task] = true
		e.PerLength = 3
		set := suitetest.Must(e.Exchange())(t)
		if strings.ContainsAny(strings.Join(set.Alphabet, ""), " \"\\\n") {
			t.Errorf("%s: have the alphabet %q, want no character that a file cannot have", e.Task, set.Alphabet)
		}
		right := func(i, n int) (list []string) {
			for _, symbol := range set.Splits[2].Text(i) {
				list = append(list, set.Alphabet[symbol])
			}
			return list
		}
		all := suitetest.Score(t, set, records(t, set, right))
		if e.Task != formal.AnBmCnm && all[1].Value != 100 || all[0].Value != 100 || all[5].Value != 100 {
			t.Errorf("%s: have %v, want that all lengths are right", e.Task, all)
		}
		at := (30 - max(shortest, e.Task.Shortest())) * e.PerLength
		some := suitetest.Score(t, set, records(t, set, func(i, n int) []string {
			if i == at {
				return make([]string, n)
			}
			return right(i, n)
		}))
		if some[0].Value >= all[0].Value || some[5].Value != 0 {
			t.Errorf("%s: have %v without string %d, want fewer lengths", e.Task, some, at)
		}
	}
	if len(tasks) != len(formal.Patterns()) {
		t.Errorf("have %d tasks, want %d", len(tasks), len(formal.Patterns()))
	}
}
