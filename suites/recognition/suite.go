package recognition

import (
	"pushdown/harness/suite"
	"slices"
)

// Suite has the tables on the recognition of strings.
var Suite = suite.Suite{
	Name:  "recognition",
	Units: units(),
	Tables: []suite.Table{
		table("1"), table("2"), table("3"), table("4"),
		ablation("TestTable6", "6", Table6, SearchedTable6, judgedSeeds), ablation("TestTable8", "8", Table8, SearchedTable8, judgedSeeds),
		ablation("TestAnnounced", "section 3", Announced, nil, 10),
	},
	Claims:  claims(),
	Figures: Figures,
	Captions: map[string]string{
		"learning-table1-printed": "Table 1 of diffstk, settings not searched (one stack, one string an update): the share of validation strings that each run classifies correctly, by epoch.",
		"lengths-table1-printed":  "Table 1 of diffstk, settings not searched (one stack, one string an update): the share of longer strings classified correctly, by length. Strings in training have at most 54 symbols.",
		"actions-table1-printed":  "Table 1 of diffstk, settings not searched (one stack, one string an update): the actions of differentiable stacks while they read a string.",
	},
	Agrees: agrees,
	Speed:  speed(),
}

// units returns the units of the suite. The unit acc is the accuracy in the reading N,
// acc-star that in N*, and acc-a, acc-f, acc-c and acc-m those in A, F, C and M. These units are
// measured for the parameters with the best loss on the development strings. The units
// with top in their names belong to the epoch with the highest N on the test strings, or
// to the first of several such epochs. Only the test results show which epoch this is.
func units() []suite.Unit {
	list := []suite.Unit{
		suite.Lower("params").Fixed(),
		suite.Lower("updates").FromTraining(),
		suite.Lower("epochs-best"),               // to the best validation loss
		suite.Lower("valid-ce"),                  // the best validation loss
		suite.Lower("epochs-top").FromTraining(), // to the best epoch on the test strings
		suite.Higher("test-acc-top-%").FromTraining(),
		suite.TrainMinutes,
	}
	list = append(list, suite.Higher("test-acc-m-%"))
	for _, p := range reported {
		for _, r := range readings {
			list = append(list, suite.Higher(p.name+"-acc"+r+"-%"))
		}
	}
	return list
}

// judgedSeeds is the number of seeds of each judged row. The paper prints the best of ten
// runs, which fewer than 30 runs cannot confirm.
const judgedSeeds = 30

// table returns one of tables 1 to 4. Scale smoke runs every row of the table, shrunken.
// Scale ci runs only the rows of DiffStk-RNN in table 1, with one seed. Scale paper runs
// all rows, the Variants, AllStrings and SmallCorpus, with ten seeds, or judgedSeeds where a row is judged.
func table(number string) suite.Table {
	return suite.Table{Test: "TestTable" + number, Paper: "diffstk", Name: number, At: func(s suite.Scale) suite.Part {
		switch {
		case s == suite.Smoke:
			return suite.Part{Runs: suite.Seeds(1, suite.SmokeRows(Table(number, Networks()...))...)}
		case s == suite.CI && number == "1":
			return suite.Part{Runs: suite.Seeds(1, Table(number, DiffStkRNN)...)}
		case s == suite.CI:
			return suite.Part{}
		}
		runs := suite.Seeds(10, Table(number, Networks()...)...)
		for i := range runs {
			runs[i].Traced = true
			if runs[i].ID().Task == "" { // others are readings
				runs[i].Seeds = judgedSeeds
			}
		}
		others := AllStrings(number)
		if number == "1" {
			others = append(others, SmallCorpus()...)
		}
		more := suite.Seeds(10, others...)
		for i := range more {
			if others[i].Network != DiffStkRNN { // tests repeat the first updates of one network
				more[i].Prefixes = -1
			}
		}
		search, searched := searches(number)
		return suite.Part{Runs: slices.Concat(runs, searched, search, suite.Seeds(10, Variants(number, Networks()...)...), more)}
	}}
}

// ablation returns a table that has runs at scales smoke and paper only, with the given
// number of seeds at scale paper. The rows that the function searched lists, which may be nil, have fresh seeds.
func ablation(test, name string, rows, searched func() []Experiment, seeds int) suite.Table {
	return suite.Table{Test: test, Paper: "diffstk", Name: name, At: func(s suite.Scale) suite.Part {
		switch s {
		case suite.Smoke:
			return suite.Part{Runs: suite.Seeds(1, suite.SmokeRows(rows())...)}
		case suite.CI:
			return suite.Part{}
		}
		runs := suite.Seeds(seeds, rows()...)
		if searched != nil {
			runs = append(runs, fresh(searched())...)
		}
		return suite.Part{Runs: runs}
	}}
}

// speed lists the networks on D2, with updates of one string and of several.
func speed() (list []suite.Speed) {
	for _, e := range Table("1", Networks()...) {
		list = append(list, suite.Speed{Row: e, Updates: 2000 / e.Batch})
	}
	return list
}
