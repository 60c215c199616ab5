package dyck

import (
	"fmt"

	"pushdown/harness/optim"
	"pushdown/harness/suite"
	"pushdown/models"
)

// embedding is the width of the embedding that second-order-lstm states.
// resurgence states none, and has it here, too.
const embedding = 30

// network is a cell of any size.
type network struct {
	name string
	cell func(h int) models.Cell
}

// networks are the cells of resurgence for natural language.
var networks = []network{
	{"rnn", func(h int) models.Cell { return models.RNN{Hidden: h} }},
	{"lstm", func(h int) models.Cell { return models.LSTM{Hidden: h} }},
	{"mmrnn", func(h int) models.Cell { return models.MMRNN{Hidden: h} }},
	{"mmlstm", func(h int) models.Cell { return models.MMLSTM{Hidden: h} }},
}

// Readouts lists the experiments of section 5.4 of resurgence for the given
// bounds: the networks for natural language, trained to predict closing
// brackets, with m and with 3m units.
func Readouts(depths ...int) []Experiment {
	var list []Experiment
	for _, m := range depths {
		for _, n := range networks {
			for _, h := range []int{m, 3 * m} {
				list = append(list, readout(m, n, h))
			}
		}
	}
	return list
}

// ReducedReadouts lists a short training of each network for m = 4, on fewer
// strings.
func ReducedReadouts() []Experiment {
	var list []Experiment
	for _, n := range networks {
		e := readout(4, n, 12)
		e.Row.Task = "reduced"
		e.Train, e.Dev, e.Test, e.Epochs = 1_000, 400, 1_000, 10
		list = append(list, e)
	}
	return list
}

// readout is one of them.
func readout(m int, n network, h int) Experiment {
	return Experiment{
		Row:   suite.Place{Paper: "resurgence", Section: "5.4", Row: fmt.Sprintf("dyck-m%d-%s-h%d", m, n.name, h)},
		Model: func(_, k int) (*models.Model, error) { return models.LastState(n.cell(h), k, embedding) },
		Name:  fmt.Sprintf("%s-h%d", n.name, h),
		Data:  published(m), Batch: 512, Whole: true,
		Rule:   optim.Rule{Method: optim.Adam, LR: 0.001, ClipNorm: 3.5},
		Epochs: 200, Stop: 5,
	}
}
