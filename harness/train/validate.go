package train

import (
	"errors"
	"fmt"
	"math"

	"pushdown/harness/kernel"
)

// errStop is returned by a validation that Options.Stop ends.
var errStop = errors.New("validation stopped")

// Validate evaluates the parameters p. It returns the loss on the validation set, and the
// figures of the experiment on that set and on the extra sets. The list scalars holds the
// values of the scalars of the experiment, in their order.
func (e *Experiment) Validate(dev kernel.Device, p *Params, scalars []float64) (loss float64, figures []float64, err error) {
	if len(scalars) != len(e.Scalars) {
		return 0, nil, fmt.Errorf("train: %s: have %d values of scalars, want %d", e.Name, len(scalars), len(e.Scalars))
	}
	for i, set := range e.sets() {
		ev, err := NewEvaluator(e.Build, dev, set.Set, e.Seed)
		if err != nil {
			return 0, nil, err
		}
		of, more, err := ev.observe(p, e.Scalars, scalars, set.Observe, nil)
		if err := errors.Join(err, ev.Close()); err != nil {
			return 0, nil, err
		}
		if i == 0 {
			loss = of
		}
		figures = append(figures, more...)
	}
	return loss, figures, nil
}

// sets returns the sets of a validation: the validation set followed by the extra
// sets.
func (e *Experiment) sets() []ExtraSet {
	return append([]ExtraSet{{e.Valid, e.Observe}}, e.ExtraSets...)
}

// validate evaluates the current parameters with the scalars of the last update. It
// returns the loss on the validation set, and the figures of the experiment on that
// set and on the extra sets. If stoppable is set, it returns errStop once
// Options.Stop returns true.
func (r *runner) validate(stoppable bool) (loss float64, figures []float64, err error) {
	stop := r.opts.Stop
	if !stoppable {
		stop = nil
	}
	evaluators := append([]*Evaluator{r.valid}, r.extra...)
	for i, set := range r.exp.sets() {
		of, more, err := evaluators[i].observe(r.now, r.exp.Scalars, r.values(), set.Observe, stop)
		if err != nil && i > 0 {
			err = fmt.Errorf("extra set %d: %w", i-1, err)
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

// observe evaluates the parameters p with the given values of scalars. It returns errStop if
// the function in the parameter stop, which can be nil, returns true.
func (e *Evaluator) observe(p *Params, scalars []Scalar, values []float64, observe func() (func(*BatchOutput) error, func() ([]float64, error)), stop func() bool) (loss float64, figures []float64, err error) {
	for i, s := range scalars {
		name, x := s.Input(values[i])
		if e.vm.Graph().Input(name) == nil {
			continue
		}
		if err := e.SetScalar(name, x); err != nil {
			return 0, nil, err
		}
	}
	visit := func(*BatchOutput) error { return nil }
	after := func() ([]float64, error) { return nil, nil }
	if observe != nil {
		visit, after = observe()
	}
	if loss, err = e.Run(p, func(o *BatchOutput) error {
		if stop != nil && stop() {
			return errStop
		}
		return visit(o)
	}); err != nil {
		return 0, nil, err
	}
	figures, err = after()
	for i, x := range figures {
		if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) { // which a checkpoint could not hold
			err = fmt.Errorf("figure %d of a validation: have %v, want a finite number", i, x)
		}
	}
	return loss, figures, err
}
