package wordlm

import (
	"math"
	"slices"

	"pushdown/harness/suite"
	"pushdown/harness/verdict"
	"pushdown/suites/lm"
)

// bagUnit is the unit of the correlation of stacks with decaying bags of words, and
// decayUnit that of their decay from word to word.
const (
	bagUnit   = "test-bag-correlation"
	decayUnit = "test-bag-decay"
)

// j12 returns the measure of claim J12: a Stack RNN learns to store something like an
// exponentially decaying bag of words. It holds if more than half of the variance of the
// median stack is that of such a bag, and if the median bag keeps at least half of what it
// has from word to word. Otherwise a stack that holds the last word alone would do.
func j12() verdict.Measure {
	row := suite.RowID{Paper: "stack-rnn", Table: "4", Row: string(StackRNN)}
	return verdict.Measure{
		Claim: "J12", Values: []verdict.MeasureValue{{Group: row.Group(), Unit: bagUnit}, {Group: row.Group(), Unit: decayUnit}},
		Holds: func(v []float64) bool { return v[0] > math.Sqrt2/2 && v[1] >= 0.5 },
	}
}

// Suite is the suite of the tables on words.
var Suite = suite.Suite{
	Name:  "wordlm",
	Units: append(lm.Units(false), suite.Higher(bagUnit), suite.Higher(decayUnit)), // the last two of the Stack RNN; see bags
	Tables: []suite.Table{
		lm.Table("TestSentences", "resurgence", "2", 0, Table2, Embedded,
			slices.Concat(lm.SmallEmbeddings(Table2()), Carried(Table2()), Carried(lm.SmallEmbeddings(Table2()))), append(Continued(), Halved()...)),
		withNgrams(lm.Table("TestStreams", "stack-rnn", "4", 0, Table4, func() []Stream { return append(embedded(Table4)(), EveryWord()...) }, nil, nil)),
		lm.Table("TestStackStreams", "diffstk", "5", 0, Table5, embedded(Table5), nil, slices.Concat(ClippedNorms(), Patient(), Noisy())),
	},
	Claims: []verdict.Measure{j12()},
	Speed:  append(suite.SpeedOf(5, Embedded()...), suite.SpeedOf(20, embedded(Streams)()...)...),
}

// withNgrams adds the n-gram models to table 4 of the paper stack-rnn.
func withNgrams(t suite.Table) suite.Table {
	at := t.At
	t.At = func(s suite.Scale) suite.Part {
		p := at(s)
		switch s {
		case suite.CI:
			p.Computed = ngrams("shakespeare", "shakespeare", false)
		case suite.Paper:
			p.Computed = append(ngrams("ptb", "", false), ngrams("ptb", "one-discount", true)...)
		}
		return p
	}
	return t
}
