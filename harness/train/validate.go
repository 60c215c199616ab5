package train

import (
<<<<<<< HEAD
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
=======
	"errors"
	"fmt"
)

// errStop is what a validation returns that was told to stop.
var errStop = errors.New("validation stopped")

// validate gives the loss of the present parameters on the validation set, under
// the numbers of the last update, and what the experiment observes there and on
// the further sets.
func (r *runner) validate(stoppable bool) (loss float64, figures []float64, err error) {
	if loss, figures, err = r.look(r.valid, r.exp.Observe, stoppable); err != nil {
		return 0, nil, err
	}
	for i, w := range r.exp.ExtraSets {
		_, more, err := r.look(r.extra[i], w.Observe, stoppable)
>>>>>>> 9913585 (train: a stop does not wait for the end of a validation)
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

<<<<<<< HEAD
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
=======
// look evaluates the present parameters on a set.
func (r *runner) look(ev *Evaluator, observe func() (func(*Outcome) error, func() ([]float64, error)), stoppable bool) (loss float64, figures []float64, err error) {
	for _, s := range r.scalars {
		name, x := s.Input(s.value)
		if ev.vm.Graph().Input(name) == nil {
>>>>>>> 9913585 (train: a stop does not wait for the end of a validation)
			continue
		}
		if err := e.SetScalar(name, x); err != nil {
			return 0, nil, err
		}
	}
<<<<<<< HEAD
	if observe == nil {
		loss, err = e.Run(p, nil)
		return loss, nil, err
	}
	visit, after := observe()
	if loss, err = e.Run(p, visit); err != nil {
=======
	visit := func(*Outcome) error { return nil }
	after := func() ([]float64, error) { return nil, nil }
	if observe != nil {
		visit, after = observe()
	}
	if loss, err = ev.Run(r.now, func(o *Outcome) error {
		if stoppable && r.opts.Stop != nil && r.opts.Stop() {
			return errStop
		}
		return visit(o)
	}); err != nil {
>>>>>>> 9913585 (train: a stop does not wait for the end of a validation)
		return 0, nil, err
	}
	figures, err = after()
	return loss, figures, err
}
