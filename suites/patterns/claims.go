package patterns

import (
	"math"
	"slices"

	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// figure2 is a row of figure 2.
func figure2(row, task string) golden.Name {
	return suite.Place{Paper: "stack-rnn", Figure: "2", Row: row, Task: task}.Group()
}

// chosenBy is the loss by which the restart is chosen that stands for a network, as
// in the paper.
const chosenBy = "valid-ce"

// claims are the functions of the claims that no printed table holds.
func claims() []verdict.Measure {
	// J06: on memorization the networks with stacks or lists predict more strings of
	// length 60 than RNN and LSTM do, each by the restart that validation chooses.
	j06 := verdict.Measure{Claim: "J06", Holds: func(v []float64) bool { return min(v[2], v[3]) > max(v[0], v[1]) }}
	for _, row := range []string{"rnn", "lstm", "list-rnn", "stack-rnn"} {
		j06.Cells = append(j06.Cells, verdict.MeasureCell{Group: figure2(row, "memorization"), Unit: "test-strings-60-%", By: chosenBy})
	}
	// J07: over restarts the List RNN succeeds more seldom than the Stack RNN.
	j07 := verdict.Measure{Claim: "J07", Holds: func(v []float64) bool { return v[0] < v[1] }}
	for _, row := range []string{"list-rnn", "stack-rnn"} {
		j07.Cells = append(j07.Cells, verdict.MeasureCell{Group: figure2(row, "memorization"), Unit: "generalises-%"})
	}
	// J08: the Stack RNN adds numbers of more than 20 digits in half of the runs at
	// least, and its runs differ more than on memorization.
	const unit = "test-strings-long-%"
	j08 := verdict.Measure{
		Claim: "J08",
		Cells: []verdict.MeasureCell{
			{Group: figure2("stack-rnn", "addition"), Unit: unit, Of: verdict.Median},
			{Group: figure2("stack-rnn", "addition"), Unit: unit, Of: verdict.Deviation},
			{Group: figure2("stack-rnn", "memorization"), Unit: unit, Of: verdict.Deviation},
		},
		Holds: func(v []float64) bool { return v[0] > 0 && v[1] > v[2] },
	}
	list := []verdict.Measure{j06, j07, j08}
	// J11 and J14: with rounded actions the two stacks of table 3 follow the paper's
	// pattern, and in an addition each of the four roles is some stack's, both in the
	// restart that validation chooses.
	for _, e := range Traced() {
		m := verdict.Measure{Claim: "J11", Cells: []verdict.MeasureCell{{Group: e.Row.Group(), Unit: "pattern-%", By: chosenBy}}}
		m.Holds = func(v []float64) bool { return v[0] == 100 }
		if e.Answers() {
			m.Claim, m.Cells[0].Unit = "J14", "roles"
			m.Holds = func(v []float64) bool { return v[0] == numRoles }
		}
		list = append(list, m)
	}
	// J13: every figure of table 2 is a number of sixtieths, as the paper's are.
	j13 := verdict.Measure{Claim: "J13", Holds: func(v []float64) bool { return slices.Max(v) == 0 }}
	for _, e := range Table2() {
		j13.Cells = append(j13.Cells, verdict.MeasureCell{Group: e.Row.Group(), Unit: "test-lengths-%", Of: offSixtieths})
	}
	return append(list, j13)
}

// offSixtieths is the largest distance of a percentage from a number of sixtieths,
// but for the rounding of the division.
func offSixtieths(sample []float64) (most float64) {
	for _, v := range sample {
		sixtieths := math.Round(v * 60 / 100)
		if v != 100*sixtieths/60 {
			most = max(most, math.Abs(v-100*sixtieths/60))
		}
	}
	return most
}
