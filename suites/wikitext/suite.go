package wikitext

import (
	"slices"

	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// Suite is the suite of table 2 of the paper second-order-lstm.
var Suite = suite.Suite{
	Name:    "wikitext",
	Units:   units(),
	Tables:  []suite.Table{{Test: "TestTable2", Paper: "second-order-lstm", Name: "2", At: table2}},
	Claims:  claims(),
	Figures: Figures,
	Captions: map[string]string{
		"figure5-wt2-attention2": "Figure 5 of second-order-lstm, two cells: principal angles between the hidden-to-hidden matrices of the cells, beside those of random matrices.",
		"figure5-wt2-attention5": "Figure 5 of second-order-lstm, five cells: principal angles between the hidden-to-hidden matrices of every two cells, beside those of random matrices.",
		"figure6-wt2-attention2": "Figure 6 of second-order-lstm, two cells: the cell that each word of the paper's text goes to, and its weight.",
		"figure6-wt2-attention5": "Figure 6 of second-order-lstm, five cells: the cell that each word of the paper's text goes to, and its weight.",
	},
	Agrees: agrees,
	Speed:  suite.SpeedOf(5, Embedded()...),
}

// table2 returns the rows of table 2, which run in full at scale paper, shrunken at scale
// smoke, and on the embedded text at scale ci. Scale paper also has the first epoch of each
// row, and the variants of Faster with one seed. Tests repeat only the first update of a run,
// because it reads 4,480 words and takes 0.6 TFLOP or more.
func table2(s suite.Scale) suite.Part {
	switch s {
	case suite.Smoke:
		return suite.Part{Runs: suite.Seeds(1, suite.SmokeRows(Table2())...)}
	case suite.CI:
		return suite.Part{Runs: suite.KeepFirst(suite.Seeds(1, Embedded()...))}
	}
	runs := slices.Concat(suite.FirstEpochs(Table2()), suite.Seeds(1, Faster()...), suite.Seeds(3, Table2()...))
	for i := range runs {
		e := runs[i].Row.(Model)
		runs[i].PrefixUpdates = 1
		runs[i].Traced = e.Cells > 1 && e.Row.Task != verdict.FirstEpoch
	}
	return suite.Part{Runs: runs}
}

// claims returns the measures of the claims that speak of cells. S09Text: the angles between
// the matrices of two cells are all above zero. The claim says little, because it is true of
// almost any two matrices of that shape. S11Text: each word is always read by the same cell.
// The model's equations imply it.
func claims() []verdict.Measure {
	angles := verdict.Measure{Claim: "S09Text", Holds: func(v []float64) bool { return slices.Max(v) < 1-rounding }}
	words := verdict.Measure{Claim: "S11Text", Holds: func(v []float64) bool { return slices.Min(v) == 1 }}
	for _, e := range Table2() {
		if e.Cells > 1 {
			angles.Values = append(angles.Values, verdict.MeasureValue{Group: e.Row.Group(), Unit: "cosine-max", Reduce: slices.Max[[]float64]})
			words.Values = append(words.Values, verdict.MeasureValue{Group: e.Row.Group(), Unit: "cell-by-symbol"})
		}
	}
	return []verdict.Measure{angles, words}
}

// The computed cosine between equal matrices can be below 1 by up to the constant rounding: it
// has some thousands of terms, each with an error of 2e-16.
const rounding = 1e-11
