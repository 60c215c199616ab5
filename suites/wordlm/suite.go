package wordlm

import "pushdown/harness/suite"

// Suite is the tables on words.
var Suite = suite.Suite{
	Name: "wordlm",
	Units: []suite.Unit{
		suite.Lower("params").Fixed(), // all trained parameters
		suite.Lower("valid-ce"),       // nats per token, of the resulting parameters
		suite.Lower("test-ce"),
		suite.Lower("test-ppl"), // e to the power of test-ce
		suite.Lower("epochs").FromTraining(),
		suite.Lower("epochs-best").FromTraining(), // to the best validation loss
		suite.TrainMinutes,
	},
	Tables: []suite.Table{{Paper: "resurgence", Name: "2", At: sentences}},
	Speed:  suite.SpeedOf(5, Embedded()...),
}

// sentences returns the runs of the rows on words in table 2 of resurgence.
func sentences(s suite.Scale) suite.Part {
	switch s {
	case suite.Smoke:
		return suite.Part{Runs: suite.Seeds(1, suite.SmokeRows(Table2())...)}
	case suite.CI:
		return suite.Part{Runs: suite.Seeds(1, Embedded()...)}
	}
	return suite.Part{Runs: suite.Seeds(3, Table2()...), Judge: true, Claims: []string{"R02"}}
}
