package recognition

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/kernel"
	"pushdown/harness/stepgraph"
	"pushdown/harness/train"
	"pushdown/models"
)

// sample is the string of D2 whose actions are kept: nested and side by side, both
// types in one another.
const sample = "([()[]])[[(())]]()"

// Actions follows parameters through [sample]; nil of a network without NO-OP and
// of other languages than its own.
func (e Experiment) Actions(dev kernel.Device, p *train.Params, seed uint64) ([]Step, error) {
	switch e.Network {
	case DiffStkRNN, DiffStkLSTM, DiffStkMRNN, DiffStkMLSTM, DiffStkMIRNN:
	default:
		return nil, nil
	}
	lang, err := formal.LanguageOf(e.Language)
	if err != nil || e.Language != "D2" {
		return nil, err
	}
	part, err := formal.Given(lang, formal.Test, sample)
	if err != nil {
		return nil, err
	}
	build := func(cfg stepgraph.Config) (*stepgraph.Graph, error) {
		cell, err := e.Network.cell(longest(part), e.Noise, e.Carry)
		if err != nil {
			return nil, err
		}
		r, err := models.NewRecognizer(models.Watched{Reader: cell}, formal.Symbols(lang))
		if err != nil {
			return nil, err
		}
		return r.Build(cfg)
	}
	var list []Step
	_, err = train.Evaluate(build, dev, NewStrings(lang, part, 1), seed, p, func(o *train.Outcome) error {
		actions, err := o.Output(models.OutputActions, 3)
		if err != nil {
			return err
		}
		top, err := o.Output(models.OutputTops, 1)
		if err != nil {
			return err
		}
		for i, letter := range formal.Text(lang, part.String(0)) {
			list = append(list, Step{string(letter), float64(actions[3*i]), float64(actions[3*i+1]), float64(actions[3*i+2]), float64(top[i])})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("recognition: actions on %s: %w", sample, err)
	}
	return list, nil
}
