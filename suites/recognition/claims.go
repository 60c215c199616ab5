package recognition

import (
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// claims are the functions of the claims that no printed table holds.
func claims() []verdict.Measure {
	more := verdict.Pairs(func(plain, other float64) bool { return plain > other })
	less := verdict.Pairs(func(plain, other float64) bool { return other > plain })
	// D17: with noise the networks with a differentiable stack need as many epochs to
	// their best as without it, or more. The paper says that noise can slow learning
	// down; here it has to for each of them.
	d17 := verdict.Measure{Claim: "D17", Holds: verdict.Pairs(func(without, with float64) bool { return with >= without })}
	for _, e := range Table6() {
		switch e.Network {
		case DiffStkRNN, DiffStkMRNN, DiffStkMIRNN:
			d17.Cells = append(d17.Cells, verdict.MeasureCell{Group: e.Row.Group(), Unit: "epochs-best"})
		}
	}
	// D15, D16 and D19 are claims without figures: difficult strings in training help
	// on long strings, carry-forward does, and labels at each step are better than one
	// at the end. Each has to be true of the means of both networks that are trained
	// for it; long strings are the longest, of 121 to 160 symbols. Accuracy is N, as in
	// the tables. N does not ask yhat, so of D15 and D19 it tells what strings outside
	// of the language and labels do to the prediction of symbols; what they do to
	// yhat, acc-f and acc-c of the same runs tell.
	return []verdict.Measure{
		{Claim: "D15", Cells: pairs("long160-acc-%", "ordinary"), Holds: more},
		{Claim: "D16", Cells: pairs("long160-acc-%", "carry-forward"), Holds: less},
		d17,
		{Claim: "D19", Cells: pairs("test-acc-%", "end-label"), Holds: more},
	}
}

// pairs are the cells of a figure: of each network first the run of table 1, then the
// one that differs from it; of carry-forward by itself first the control of table 6.
func pairs(unit, task string) (cells []verdict.MeasureCell) {
	for _, e := range Announced() {
		if e.Row.Task != task {
			continue
		}
		beside := printed("1", "D2", e.Network)
		if e.Noise == 0 {
			beside = beside.as(suite.Place{Table: "6"}, "without-noise")
		}
		cells = append(cells, verdict.MeasureCell{Group: beside.Row.Group(), Unit: unit}, verdict.MeasureCell{Group: e.Row.Group(), Unit: unit})
	}
	return cells
}
