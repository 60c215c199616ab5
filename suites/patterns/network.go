package patterns

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/models"
)

// Kind is a kind of network.
type Kind string

// The kinds.
const (
	Stack Kind = "stack-rnn"
	List  Kind = "list-rnn"
	Sigma Kind = "rnn"
	LSTM  Kind = "lstm"
)

// Network is a network of the paper without the symbols that it reads.
type Network struct {
	Kind   Kind `json:"kind"`
	Hidden int  `json:"hidden"`
	Count  int  `json:"count,omitempty"` // stacks or lists
	Read   int  `json:"read,omitempty"`  // cells of each that are fed back
	Noop   bool `json:"noop,omitempty"`
	Round  bool `json:"round,omitempty"`  // actions at validation and test
	Layers int  `json:"layers,omitempty"` // of an LSTM
}

// Memory is the sizes and the limits of a network that a run decides.
type Memory struct {
	Cells int     // of a stack, or on either side of the head of a list
	Clip  float64 // of the errors; 0: none
	Least float64 // of the errors of stacks and lists that are kept; 0: all
	Trace bool    // stacks give their actions and tops
}

// Model makes the network for a task.
func (n Network) Model(task formal.Pattern, m Memory) (*models.Model, error) {
	if err := task.Validate(); err != nil {
		return nil, fmt.Errorf("patterns: %w", err)
	}
	const hold = 50 // of the arguments of sigmoids, in the authors' program
	v := task.Vocabulary()
	switch n.Kind {
	case Stack:
		return models.StackLanguageModel(models.StackRNN{
			Hidden: n.Hidden, Stacks: n.Count, Capacity: m.Cells, Read: n.Read, Noop: n.Noop, Round: n.Round, Hold: hold, Clip: m.Clip, Least: m.Least, Trace: m.Trace,
		}, v)
	case List:
		return models.ListLanguageModel(models.ListRNN{
			Hidden: n.Hidden, Lists: n.Count, Side: m.Cells, Read: n.Read, Noop: n.Noop, Round: n.Round, Hold: hold, Clip: m.Clip, Least: m.Least,
		}, v)
	case Sigma:
		return models.SigmaLanguageModel(models.SigmaRNN{Hidden: n.Hidden, Clip: m.Clip}, v)
	case LSTM:
		var cells models.Layers
		for range n.Layers {
			cells.Cells = append(cells.Cells, models.LSTM{Hidden: n.Hidden})
		}
		return models.OneHotLanguageModel(cells, v)
	}
	return nil, fmt.Errorf("patterns: network of kind %q, need %s, %s, %s or %s", n.Kind, Stack, List, Sigma, LSTM)
}
