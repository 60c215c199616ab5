package patterns

import "pushdown/harness/suite"

// Suite has the tables and figures on algorithmic patterns.
var Suite = suite.Suite{
	Name: "patterns",
	Units: []suite.Unit{
		suite.Higher("test-lengths-%"),       // lengths at which every string is right, as the paper counts them
		suite.Higher("test-lengths-1to60-%"), // lengths from 1 to 60 at which every string is right
		suite.Higher("test-strings-60-%"),    // strings of length 60 that are right
		suite.Higher("test-strings-long-%"),  // strings of lengths 21 to 59 that are right, mean over the lengths
		suite.Higher("generalises-%"),        // 100 if more than a third of the lengths are right, else 0
		suite.Higher("perfect-%"),            // 100 if all lengths are right, else 0
		suite.Higher("pattern-%"),            // 100 if the stacks do what the paper says, else 0
		suite.Higher("roles"),                // number of the 4 roles in an addition that some stack has
		suite.Lower("valid-ce"),
		suite.Lower("hidden").Fixed(),
		suite.Lower("layers").Fixed(),
		suite.Lower("params").Fixed(),
		suite.Lower("epochs").FromTraining(),
		suite.Lower("epochs-best").FromTraining(),
		suite.Lower("symbols").FromTraining(), // number of symbols read in training
		suite.TrainMinutes,
	},
	Tables: []suite.Table{
		table("TestTable2", "2", Table2, suite.Runs{}),
		table("TestVariants", "section 5.1", Variants, suite.Runs{}),
		table("TestFigure2", "figure 2", Figure2, suite.Runs{Traced: true}),
		table("TestTraces", "table 3 and figure 3", Traced, suite.Runs{Traced: true, Keep: suite.Chosen}),
		{Test: "TestLearns", Paper: "stack-rnn", Name: "short", At: short},
	},
	Claims:  claims(),
	Figures: Figures,
	Captions: map[string]string{
		"figure2": "Figure 2 of stack-rnn: memorization and binary addition by length, a panel for each network and a line for each restart.",
		"figure3": "Figure 3 of stack-rnn: ten stacks during an addition, of a network of ours that has not learnt to add.",
		"table3":  "Table 3 of stack-rnn: a rounded network of two stacks on aⁿb²ⁿ, of the restart that validation chooses.",
	},
	Agrees: agrees,
	Speed:  speed(),
}

// table returns a table whose rows run in full at scale paper and shrunken at scale smoke.
// It has no rows at scale ci; see short. Each row at scale paper runs with the settings of
// the given suite.Runs.
func table(test, name string, rows func() []Experiment, like suite.Runs) suite.Table {
	return suite.Table{Test: test, Paper: "stack-rnn", Name: name, At: func(s suite.Scale) suite.Part {
		switch s {
		case suite.Smoke:
			return suite.Part{Runs: suite.Seeds(1, suite.SmokeRows(rows())...)}
		case suite.CI:
			return suite.Part{}
		}
		var runs []suite.Runs
		for _, e := range rows() {
			like.Row, like.Seeds, like.Prefixes = e, e.Restarts, len(e.Networks)
			runs = append(runs, like)
		}
		return suite.Part{Runs: runs}
	}}
}

// short returns the run at scale ci, which a plain go test trains to its end.
func short(s suite.Scale) suite.Part {
	if s != suite.CI {
		return suite.Part{}
	}
	return suite.Part{Runs: suite.KeepFirst(suite.Seeds(1, Short()...))}
}

// speed lists the networks of the tables and figures at their full size.
func speed() (list []suite.Speed) {
	for _, rows := range [][]Experiment{Table2(), Figure2(), Traced()} {
		for _, e := range rows {
			list = append(list, suite.Speed{Row: e, Updates: 5000 / e.Every})
		}
	}
	return list
}
