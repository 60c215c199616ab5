package recognition

import (
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// claims returns the measures of the claims that no printed table decides.
func claims() []verdict.Measure {
	more := func(plain, other float64) bool { return plain > other }
	less := func(plain, other float64) bool { return other > plain }
	// D17: each network with a differentiable stack needs at least as many epochs to its
	// best epoch with noise as without noise. The paper says only that noise can sometimes
	// slow learning down.
	d17 := verdict.Measure{Claim: "D17", Pair: func(without, with float64) bool { return with >= without }}
	for _, e := range Table6() {
		switch e.Network {
		case DiffStkRNN, DiffStkMRNN, DiffStkMIRNN:
			d17.Values = append(d17.Values, verdict.MeasureValue{Group: e.Row.Group(), Unit: "epochs-best"})
		}
	}
	// D15, D16 and D19 are claims without numbers:
	//
	//   - D15: difficult strings in training help on long strings
	//   - D16: carry-forward helps on long strings
	//   - D19: labels at each step are better than a single label at the end
	//
	// Two networks are trained for each of these claims, and the claim must hold for the
	// mean of each. Long strings are those of 121 to 160 symbols. For D16 accuracy is N, as
	// in the tables. N does not depend on yhat, which is what difficult strings and labels
	// train, so D15 and D19 are judged by yhat at the end of the string (reading F).
	return []verdict.Measure{
		{Claim: "D15", Values: pairs("long160-acc-f-%", "ordinary"), Pair: more},
		{Claim: "D16", Values: pairs("long160-acc-%", "carry-forward"), Pair: less},
		d17,
		{Claim: "D19", Values: pairs("test-acc-f-%", "end-label"), Pair: more},
	}
}

// pairs returns the numbers that a claim about a task of [Announced] compares, two for
// each network. The first number is that of the control: the row of table 1 or, for the
// task carry-forward, the control of table 6. The second number is that of the row with
// the task.
func pairs(unit, task string) (cells []verdict.MeasureValue) {
	for _, e := range Announced() {
		if e.Row.Task != task {
			continue
		}
		beside := printed("1", "D2", e.Network)
		if e.Noise == 0 {
			beside = beside.at(suite.RowID{Table: "6"}, "without-noise")
		}
		cells = append(cells, verdict.MeasureValue{Group: beside.Row.Group(), Unit: unit}, verdict.MeasureValue{Group: e.Row.Group(), Unit: unit})
	}
	return cells
}
