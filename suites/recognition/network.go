package recognition

import (
	"fmt"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// Network names a row of tables 1 to 4.
type Network string

// The networks, in the order of the tables.
const (
	RNN             Network = "rnn"
	LSTM            Network = "lstm"
	GRU             Network = "gru"
	DeltaRNN        Network = "delta-rnn"
	StackRNN        Network = "stack-rnn"
	StackRNNSoftmax Network = "stack-rnn-softmax"
	BabyNTM         Network = "baby-ntm-softmax"
	DiffStkRNN      Network = "diffstk-rnn"
	DiffStkLSTM     Network = "diffstk-lstm"
	DiffStkMRNN     Network = "diffstk-mrnn"
	DiffStkMLSTM    Network = "diffstk-mlstm"
	DiffStkMIRNN    Network = "diffstk-mirnn"
)

// Networks lists them.
func Networks() []Network {
	return []Network{RNN, LSTM, GRU, DeltaRNN, StackRNN, StackRNNSoftmax, BabyNTM,
		DiffStkRNN, DiffStkLSTM, DiffStkMRNN, DiffStkMLSTM, DiffStkMIRNN}
}

// hidden is the number of units of every network.
const hidden = 8

// cell is a network's cell for strings of up to so many symbols. Carry-forward is
// that of the DiffStk networks; noise is theirs and that of those beside them in
// tables 6 to 8.
func (n Network) cell(longest int, noise float64, carry bool) (models.Reader, error) {
	stack := models.NewDiffStk(longest)
	stack.Noise, stack.Carry = noise, carry
	switch n {
	case RNN:
		return models.F1RNN{Hidden: hidden, Noise: noise}, nil
	case LSTM:
		return models.F1LSTM{Hidden: hidden, Noise: noise}, nil
	case GRU:
		return models.GRU{Hidden: hidden}, nil
	case DeltaRNN:
		return models.DeltaRNN{Hidden: hidden}, nil
	case StackRNN:
		c := models.RecognizerStackRNN(longest)
		c.Noise = noise
		return c, nil
	case StackRNNSoftmax:
		c := models.NewStackRNNSoftmax()
		c.Capacity = min(c.Capacity, longest+1) // deeper cells hold zeros, and pop zeros
		return c, nil
	case BabyNTM:
		return models.NewBabyNTM(), nil
	case DiffStkRNN:
		return models.DiffStkRNN{DiffStk: stack}, nil
	case DiffStkLSTM:
		return models.DiffStkLSTM{DiffStk: stack}, nil
	case DiffStkMRNN:
		return models.DiffStkMRNN{DiffStk: stack}, nil
	case DiffStkMLSTM:
		return models.DiffStkMLSTM{DiffStk: stack}, nil
	case DiffStkMIRNN:
		return models.DiffStkMIRNN{DiffStk: stack}, nil
	}
	return nil, fmt.Errorf("recognition: unknown network %q, need one of %v", n, Networks())
}

// build makes the step graph: with stacks for the longest string of training in
// training, and of all parts in evaluation.
func (e Experiment) build(symbols, train, longest int) func(stepgraph.Config) (*stepgraph.Graph, error) {
	return func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
		n := longest
		if cfg.Training {
			n = train
		}
		cell, err := e.Network.cell(n, e.Noise, e.Carry)
		if err != nil {
			return nil, err
		}
		r, err := models.NewRecognizer(cell, symbols)
		if err != nil {
			return nil, err
		}
		r.Judged = e.Label == AtEnd
		return r.Build(cfg)
	}
}
