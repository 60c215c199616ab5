package train

import (
	"fmt"

	"pushdown/harness/kernel"
)

// Validate returns the loss of parameters on the validation set and what the
// experiment observes there and on its extra sets. scalars are the values of the
// experiment's scalars, in their order.
func (e *Experiment) Validate(dev kernel.Device, p *Params, scalars []float64) (loss float64, figures []float64, err error) {
	if len(scalars) != len(e.Scalars) {
		return 0, nil, fmt.Errorf("train: %s: have %d values of scalars, want %d", e.Name, len(scalars), len(e.Scalars))
	}
	sets := append([]ExtraSet{{e.Valid, e.Observe}}, e.ExtraSets...)
	for i, set := range sets {
		ev, err := NewEvaluator(e.Build, dev, set.Set, e.Seed)
		if err != nil {
			return 0, nil, err
		}
		of, more, err := ev.look(p, e.Scalars, scalars, set.Observe)
		if err := ev.Close(); err != nil {
			return 0, nil, err
		}
		if err != nil {
			return 0, nil, err
		}
		if i == 0 {
			loss = of
		}
		figures = append(figures, more...)
	}
	return loss, figures, nil
}

// validate returns the loss of the present parameters on the validation set, under
// the scalars of the last update, and what the experiment observes there and on the
// extra sets.
func (r *runner) validate() (loss float64, figures []float64, err error) {
	look := func(ev *Evaluator, observe func() (func(*Outcome) error, func() ([]float64, error))) (float64, []float64, error) {
		return ev.look(r.now, r.exp.Scalars, r.values(), observe)
	}
	if loss, figures, err = look(r.valid, r.exp.Observe); err != nil {
		return 0, nil, err
	}
	for i, w := range r.exp.ExtraSets {
		_, more, err := look(r.extra[i], w.Observe)
		if err != nil {
			return 0, nil, fmt.Errorf("extra set %d: %w", i, err)
		}
		figures = append(figures, more...)
	}
	return loss, figures, nil
}

// look evaluates parameters under the given values of scalars.
func (e *Evaluator) look(p *Params, scalars []Scalar, values []float64, observe func() (func(*Outcome) error, func() ([]float64, error))) (loss float64, figures []float64, err error) {
	for i, s := range scalars {
		name, x := s.Input(values[i])
		if e.vm.Graph().Input(name) == nil {
			continue
		}
		if err := e.SetScalar(name, x); err != nil {
			return 0, nil, err
		}
	}
	if observe == nil {
		loss, err = e.Run(p, nil)
		return loss, nil, err
	}
	visit, after := observe()
	if loss, err = e.Run(p, visit); err != nil {
		return 0, nil, err
	}
	figures, err = after()
	return loss, figures, err
}
