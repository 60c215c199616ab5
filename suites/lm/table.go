package lm

import (
	"slices"

	"pushdown/harness/suite"
)

// Table returns a table whose rows run in full at scale paper and shrunken at scale smoke. The rows of ci, on the
// embedded text, run at scale ci. Scale paper also has the first epoch of each row, the rows that stand for another reading of
// a number, with three seeds as the rows have, and the given variants, with one. Tests repeat as many updates of a run at scale paper as prefix says; see [suite.Runs].
func Table[R interface {
	suite.Row
	Smoke() R
	FirstEpoch() R
}](test, paper, name string, prefix int, rows, ci func() []R, readings, variants []R) suite.Table {
	return suite.Table{Test: test, Paper: paper, Name: name, At: func(s suite.Scale) suite.Part {
		switch s {
		case suite.Smoke:
			return suite.Part{Runs: suite.Seeds(1, suite.SmokeRows(rows())...)}
		case suite.CI:
			return suite.Part{Runs: suite.Seeds(1, ci()...)}
		}
		runs := slices.Concat(suite.FirstEpochs(rows()), suite.Seeds(1, variants...), suite.Seeds(3, readings...), suite.Seeds(3, rows()...))
		for i := range runs {
			runs[i].PrefixUpdates = prefix
		}
		return suite.Part{Runs: runs}
	}}
}
