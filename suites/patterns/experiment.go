package patterns

import (
	"fmt"

	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
	"pushdown/harness/suite"
	"pushdown/harness/train"
)

// Experiment is one row of a table or a figure, for any restart.
type Experiment struct {
	Row      suite.Place `json:"place"`
	Networks []Network   `json:"networks"` // restart s trains the network s-1, beginning again after the last
	Restarts int         `json:"-"`
	Data
	Window   int     `json:"window"`          // steps that a gradient goes back
	Every    int     `json:"every"`           // symbols between updates
	LR       float64 `json:"lr"`              // of one symbol
	Clip     float64 `json:"clip"`            // of the errors
	Least    float64 `json:"least"`           // smaller numbers of an error of stacks or lists are dropped
	Scale    int     `json:"scale"`           // power of two that the loss is scaled by for its gradient
	Capacity int     `json:"capacity"`        // cells of a stack in training
	Epochs   int     `json:"epochs"`          // at most
	Below    float64 `json:"below,omitempty"` // validation loss in nats at which training stops; 0: none

	// The test: strings of each length up to Longest, and the cells of a stack, which
	// are more than in training as the strings are longer.
	Longest   int `json:"longest"`
	PerLength int `json:"per_length"`
	Cells     int `json:"cells"`
}

// Place says where the paper publishes the row.
func (e Experiment) Place() suite.Place { return e.Row }

// An error that goes back through a stack is multiplied by actions near 0 and 1 and
// soon fades. What is smaller than leastError is dropped; scaled by so many powers of
// two, what is not stays away from the subnormal numbers, on which a processor spends
// most of its time, when it is multiplied by one more action.
const (
	gradScale  = 64
	leastError = 0x1p-96
)

// protocol is that of the authors' program.
func protocol(d Data, n ...Network) Experiment {
	return Experiment{
		Networks: n, Data: d, Window: 50, Every: 1, LR: 0.1, Clip: 15, Least: leastError, Scale: gradScale,
		Capacity: 200, Epochs: 100, Longest: longest, PerLength: perLength, Cells: 400,
	}
}

// Network is that of a restart.
func (e Experiment) Network(seed uint64) Network { return e.Networks[int(seed-1)%len(e.Networks)] }

// returnBelow is the validation loss of an addition, 0.1 in decimal digits, below
// which every epoch without a new best goes back to the best.
const returnBelow = 0.1 * 2.302585092994046

// Build makes the run of a restart.
func (e Experiment) Build(seed uint64) (*train.Experiment, error) {
	n := e.Network(seed)
	name, err := e.Row.Name(int(seed))
	if err != nil {
		return nil, err
	}
	stream, err := e.training()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	valid, err := e.valid()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	training, err := n.Model(e.Task, Memory{Cells: e.Capacity, Clip: e.Clip, Least: e.Least})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	reading, err := n.Model(e.Task, Memory{Cells: e.Capacity})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	x := &train.Experiment{
		Name: string(name), About: e, Valid: valid, Seed: seed, Best: true, GradScale: e.Scale,
		Build: func(c stepgraph.Config) (*stepgraph.Graph, error) {
			if c.Training {
				return training.Build(c)
			}
			return reading.Build(c)
		},
		// In the program a gradient goes back as many steps as there were updates since
		// stacks were emptied, which is less than the window where answers alone are
		// learnt from.
		Online: train.Online{Stream: stream, Window: e.Window, Every: e.Every, Epochs: e.Epochs, Earned: e.Answers(), BestIfDiverged: true},
		// The gradient is that of a mean, the program's step that of a sum.
		Rule: optim.Rule{Method: optim.SGD, LR: e.LR * float64(e.Every)},
		Plateau: optim.Plateau{
			From: e.Max/2 + 2, Patience: 1, Factor: 0.5, Return: true,
			Least: 1e-5 * float64(e.Every), Below: e.Below,
		},
	}
	if e.Answers() {
		x.Plateau.ReturnBelow = returnBelow
	}
	return x, nil
}
