package charlm

import (
	"slices"

	"pushdown/harness/suite"
	"pushdown/suites/lm"
)

// Suite is the tables on characters.
var Suite = suite.Suite{
	Name:  "charlm",
	Units: lm.Units(true),
	Tables: []suite.Table{
		table("TestSentences", "2", Table2, Factored()),
		table("TestCutSentences", "3", Table3, lm.SmallEmbeddings(cut(25))),
	},
	Speed: suite.SpeedOf(2, slices.Concat(embedded(Table2)(), embedded(Table3)())...),
}

// table returns a table of the paper resurgence whose rows run in full at scale paper,
// shrunken at scale smoke, and on the embedded text at scale ci. Scale paper also has the
// first epoch of each row, and the given variants, with one seed. Tests repeat only the first
// update of a run, because it reads 16,000 characters.
func table(test, name string, rows func() []lm.Sentences, variants []lm.Sentences) suite.Table {
	return suite.Table{Test: test, Paper: "resurgence", Name: name, At: func(s suite.Scale) suite.Part {
		switch s {
		case suite.Smoke:
			return suite.Part{Runs: suite.Seeds(1, suite.SmokeRows(rows())...)}
		case suite.CI:
			return suite.Part{Runs: suite.Seeds(1, embedded(rows)()...)}
		}
		runs := slices.Concat(suite.FirstEpochs(rows()), suite.Seeds(1, variants...), suite.Seeds(3, rows()...))
		for i := range runs {
			runs[i].PrefixUpdates = 1
		}
		return suite.Part{Runs: runs}
	}}
}
