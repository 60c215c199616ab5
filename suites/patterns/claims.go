package patterns

import (
	"pushdown/harness/golden"
	"pushdown/harness/suite"
	"pushdown/harness/verdict"
)

// figure2 returns the name, in golden files, of a row of figure 2 and a task.
func figure2(row, task string) golden.Name {
	return suite.RowID{Paper: "stack-rnn", Figure: "2", Row: row, Task: task}.Group()
}

// chosenBy is the unit of the loss by which one of the restarts of a network is chosen. As
// in the paper, it is the restart with the lowest validation loss.
const chosenBy = "valid-ce"

// claims says how to judge each claim that no printed table decides.
func claims() []verdict.Measure {
	// J06: on memorization the networks with stacks or lists predict more strings of
	// length 60 than RNN and LSTM do. Validation chooses one restart of each network.
	j06 := verdict.Measure{Claim: "J06", Holds: func(v []float64) bool { return min(v[2], v[3]) > max(v[0], v[1]) }}
	for _, row := range []string{"rnn", "lstm", "list-rnn", "stack-rnn"} {
		j06.Values = append(j06.Values, verdict.MeasureValue{Group: figure2(row, "memorization"), Unit: "test-strings-60-%", ChosenBy: chosenBy})
	}
	// J07: the List RNN succeeds in fewer restarts than the Stack RNN.
	j07 := verdict.Measure{Claim: "J07", Holds: func(v []float64) bool { return v[0] < v[1] }}
	for _, row := range []string{"list-rnn", "stack-rnn"} {
		j07.Values = append(j07.Values, verdict.MeasureValue{Group: figure2(row, "memorization"), Unit: "generalises-%"})
	}
	// J08: in more than half of the runs the Stack RNN adds some numbers of more than 20
	// digits correctly. The share of correct sums of such numbers varies more from run to
	// run than the share of long strings that are memorized correctly.
	const unit = "test-strings-long-%"
	j08 := verdict.Measure{
		Claim: "J08",
		Values: []verdict.MeasureValue{
			{Group: figure2("stack-rnn", "addition"), Unit: unit, Reduce: verdict.Median},
			{Group: figure2("stack-rnn", "addition"), Unit: unit, Reduce: verdict.Deviation},
			{Group: figure2("stack-rnn", "memorization"), Unit: unit, Reduce: verdict.Deviation},
		},
		Holds: func(v []float64) bool { return v[0] > 0 && v[1] > v[2] },
	}
	list := []verdict.Measure{j06, j07, j08}
	// J11: with rounded actions the two stacks of table 3 follow the paper's pattern. J14:
	// in an addition, each of the four roles is that of some stack. Both claims are judged
	// by the restart that validation chooses. J14 presumes that this restart has
	// learned to add: that it is right on more than half of the sums of longer numbers.
	for _, e := range Traced() {
		m := verdict.Measure{Claim: "J11", Values: []verdict.MeasureValue{{Group: e.Row.Group(), Unit: "pattern-%", ChosenBy: chosenBy}}}
		m.Holds = func(v []float64) bool { return v[0] == 100 }
		if e.Answers() {
			m.Claim, m.Values[0].Unit = "J14", "roles"
			m.Values = append(m.Values, verdict.MeasureValue{Group: e.Row.Group(), Unit: "test-strings-long-%", ChosenBy: chosenBy})
			m.Holds = func(v []float64) bool { return v[0] == numRoles }
			m.Premise = func(v []float64) bool { return v[1] > 50 }
		}
		list = append(list, m)
	}
	return list
}
