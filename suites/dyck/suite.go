package dyck

import (
	"slices"

	"pushdown/harness/suite"
)

// Suite has the tables and figures on bounded Dyck languages.
var Suite = suite.Suite{
	Name: "dyck",
	Units: append([]suite.Unit{
		suite.Lower("params").Fixed(),             // for a language model only those of its cells, as the paper counts
		suite.Lower("params-whole").Fixed(),       // all trained parameters
		suite.Lower("updates").FromTraining(),     //
		suite.Lower("epochs").FromTraining(),      //
		suite.Lower("epochs-best"),                // to the best validation loss
		suite.Lower("valid-ce"),                   // of the resulting parameters; for a language model at the temperature of training
		suite.Lower("test-ce"),                    // not for language models
		suite.Lower("wcpa-fall-%").FromTraining(), // sum of the decreases of validation WCPA from epoch to epoch
		suite.Higher("kinds-apart"),               // 1: opening and closing brackets have different cells, else 0
		suite.Lower("cosine-max"),                 // of the smallest angle between the matrices of two cells
		suite.Higher("cell-by-symbol").Fixed(),    // 1: the cell depends only on the symbol read, else 0; measured for seed 1
		suite.Lower("test-lowest-from-300"),       // from distance 300 to the nearest distance of lowest accuracy; only if strings are that long
		suite.Higher("test-wcpa-%"), suite.TrainMinutes,
	}, languageUnits()...),
	Tables: []suite.Table{
		{Test: "TestWCPA", Paper: "resurgence", Name: "2", At: dyckRNNs},
		{Test: "TestUnfrozen", Paper: "resurgence", Name: "section 6.2", At: unfrozen},
		{Test: "TestReadouts", Paper: "resurgence", Name: "section 5.4", At: readouts},
		{Test: "TestLanguageModels", Paper: "second-order-lstm", Name: "1", At: languageModels},
	},
	Claims:  claims(),
	Figures: Figures,
	Captions: map[string]string{
		"figure2": "Figure 2 of second-order-lstm: accuracy at each distance between brackets, at the stated learning rate of 1e-4, a column for each m.",
		"figure3": "Figure 3 of second-order-lstm: WCPA on validation strings by epoch, of the same runs.",
		"figure4": "Figure 4 of second-order-lstm: principal angles between the hidden-to-hidden matrices of the two cells, beside those of random matrices.",
		"figure6": "Figure 6 of second-order-lstm: the cell that each symbol of the paper's own string goes to, and its weight.",
	},
	Agrees: agrees,
	Speed:  slices.Concat(suite.SpeedOf(50, Table2()...), suite.SpeedOf(50, Table1(depths...)...), suite.SpeedOf(50, Readouts(depths...)...)),
}

// languageUnits returns the units in which only language models are measured, on
// validation and test strings. An attention model is measured with a sharp choice: in
// each step, only the cell with the largest weight counts. For the units with "-soft"
// in their name it is measured again, as a mixture of its cells at the temperature that
// it had when its parameters were the best.
func languageUnits() (list []suite.Unit) {
	for _, split := range []string{"valid", "test"} {
		for _, kind := range []string{"", "-soft"} {
			list = append(list,
				suite.Lower(split+"-ppl"+kind),
				suite.Higher(split+"-wcpa20"+kind+"-%"),    // over distances with at least 20 cases
				suite.Higher(split+"-wcpa-code"+kind+"-%")) // by the rule of the public code
			if split != "test" || kind != "" {
				list = append(list, suite.Higher(split+"-wcpa"+kind+"-%"))
			}
		}
	}
	return list
}

// dyckRNNs returns the runs of table 2 of the paper resurgence.
func dyckRNNs(s suite.Scale) suite.Part {
	switch s {
	case suite.Smoke:
		return suite.Part{Runs: suite.Seeds(1, suite.SmokeRows(Table2())...)}
	case suite.CI: // at the paper's size, with fewer seeds
		return suite.Part{Runs: suite.KeepFirst(suite.Seeds(3, Table2()...))}
	}
	return suite.Part{Runs: suite.Seeds(10, append(Table2(), Literal(Table2())...)...)}
}

// unfrozen returns the runs of section 6.2 of the paper resurgence.
func unfrozen(s suite.Scale) suite.Part {
	switch s {
	case suite.Smoke:
		return suite.Part{Runs: suite.Seeds(1, suite.SmokeRows(Unfrozen(4))...)}
	case suite.CI: // without the shift by one, which can take 30,000 updates
		return suite.Part{Runs: suite.Seeds(1, Unfrozen(4)[:2]...)}
	}
	return suite.Part{Runs: suite.Seeds(10, append(Unfrozen(depths...), Literal(Unfrozen(depths...))...)...)}
}

// readouts returns the runs of section 5.4 of the paper resurgence.
func readouts(s suite.Scale) suite.Part {
	switch s {
	case suite.Smoke:
		return suite.Part{Runs: slices.Concat(suite.Seeds(1, suite.SmokeRows(Readouts(4))...), suite.Seeds(1, suite.SmokeRows(Dropouts(4))...), suite.Seeds(1, suite.SmokeRows(Generators(4))...))}
	case suite.CI:
		return suite.Part{Runs: suite.KeepFirst(suite.Seeds(1, ReducedReadouts()...))}
	}
	runs := slices.Concat(suite.KeepFirst(suite.Seeds(3, Readouts(depths...)...)), suite.Seeds(3, Dropouts(4, 6)...), suite.Seeds(3, Generators(depths...)...))
	return suite.Part{Runs: runs}
}

// languageModels returns the runs of table 1 of the paper second-order-lstm.
func languageModels(s suite.Scale) suite.Part {
	switch s {
	case suite.Smoke:
		return suite.Part{Runs: suite.Seeds(1, suite.SmokeRows(Table1(depths...))...)}
	case suite.CI:
		return suite.Part{Runs: suite.KeepFirst(suite.Seeds(1, Reduced()...))}
	}
	runs := suite.KeepFirst(suite.Seeds(5, slices.Concat(Lengths(), Rates(depths...), AnyGain(depths...), Table1(depths...))...))
	for i := range runs { // no figure shows the assignment model
		runs[i].Traced = runs[i].Row.(LanguageModel).Kind != Assignment
	}
	return suite.Part{Runs: runs}
}
