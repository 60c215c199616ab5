package train

import "fmt"

// validate gives the loss of the present parameters on the validation set, under
// the numbers of the last update, and what the experiment observes there and on
// the further sets.
func (r *runner) validate() (loss float64, figures []float64, err error) {
	if loss, figures, err = r.look(r.valid, r.exp.Observe); err != nil {
		return 0, nil, err
	}
	for i, w := range r.exp.ExtraSets {
		_, more, err := r.look(r.extra[i], w.Observe)
		if err != nil {
			return 0, nil, fmt.Errorf("further set %d: %w", i, err)
		}
		figures = append(figures, more...)
	}
	return loss, figures, nil
}

// look evaluates the present parameters on a set.
func (r *runner) look(ev *Evaluator, observe func() (func(*Outcome) error, func() ([]float64, error))) (loss float64, figures []float64, err error) {
	for _, s := range r.scalars {
		name, x := s.Input(s.value)
		if ev.vm.Graph().Input(name) == nil {
			continue
		}
		if err := ev.SetScalar(name, x); err != nil {
			return 0, nil, err
		}
	}
	if observe == nil {
		loss, err = ev.Run(r.now, nil)
		return loss, nil, err
	}
	visit, after := observe()
	if loss, err = ev.Run(r.now, visit); err != nil {
		return 0, nil, err
	}
	figures, err = after()
	return loss, figures, err
}
