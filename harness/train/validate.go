package train

// validate gives the loss of the present parameters on the validation set, under
// the numbers of the last update, and what the experiment observes there.
func (r *runner) validate() (loss float64, figures []float64, err error) {
	for _, s := range r.scalars {
		name, x := s.Input(s.value)
		if r.valid.vm.Graph().Input(name) == nil {
			continue
		}
		if err := r.valid.SetScalar(name, x); err != nil {
			return 0, nil, err
		}
	}
	if r.exp.Observe == nil {
		loss, err = r.valid.Run(r.now, nil)
		return loss, nil, err
	}
	visit, after := r.exp.Observe()
	if loss, err = r.valid.Run(r.now, visit); err != nil {
		return 0, nil, err
	}
	figures, err = after()
	return loss, figures, err
}
