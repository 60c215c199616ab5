package charlm

import (
	"slices"

	"pushdown/harness/suite"
	"pushdown/suites/lm"
)

// Suite is the tables on characters. Tests repeat only the first update of a run, because it reads 16,000 characters.
var Suite = suite.Suite{
	Name:  "charlm",
	Units: lm.Units(true),
	Tables: []suite.Table{
		lm.Table("TestSentences", "resurgence", "2", 1, Table2, embedded(Table2), lm.WithoutEnds(Table2()), Factored()),
		lm.Table("TestCutSentences", "resurgence", "3", 1, Table3, embedded(Table3), lm.WithoutEnds(Table3()), lm.SmallEmbeddings(cut(25))),
	},
	Speed: suite.SpeedOf(2, slices.Concat(embedded(Table2)(), embedded(Table3)())...),
}
