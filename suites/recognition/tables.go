package recognition

import (
	"pushdown/harness/optim"
	"pushdown/harness/suite"
)

// corpusSeed is that of the strings of every experiment.
const corpusSeed = 1

// tables are the languages of tables 1 to 4.
var tables = []struct{ table, language string }{{"1", "D2"}, {"2", "D3"}, {"3", "D6"}, {"4", "palindrome"}}

// printed returns the experiment of a network and a language as the paper prints
// it, with an update for each string.
func printed(table, language string, n Network) Experiment {
	return Experiment{
		Row:     suite.Place{Paper: "diffstk", Table: table, Row: string(n)},
		Network: n, Data: Data{Language: language, CorpusSeed: corpusSeed},
		Batch: 1, Rule: optim.Rule{Method: optim.Adam, LR: 2e-3, Clip: 15},
		Plateau: optim.Plateau{Patience: 3, Factor: 0.5, Floor: 1e-4},
		Epochs:  30, BPTT: 50,
	}
}

// quick is the experiment with updates of 8 strings at five times the rate; of 4
// for the networks that learn less well so.
func (e Experiment) quick() Experiment {
	e.Row.Task, e.Batch, e.Rule.LR = "batch8", 8, 1e-2
	switch e.Network {
	case DiffStkLSTM, DiffStkMLSTM, DiffStkMIRNN:
		e.Row.Task, e.Batch = "batch4", 4
	}
	return e
}

// Table lists rows of a table, 1 to 4, as printed, and beside each the quick one.
func Table(number string, networks ...Network) (list []Experiment) {
	for _, t := range tables {
		if t.table != number {
			continue
		}
		for _, n := range networks {
			e := printed(t.table, t.language, n)
			list = append(list, e, e.quick())
		}
	}
	return list
}

// Smoke shrinks an experiment to a moment: the pipeline, not the result.
func (e Experiment) Smoke() Experiment {
	e.Train, e.Dev, e.Test, e.Long, e.Epochs = 64, 32, 32, 16, 2
	return e
}
