package train

import (
	"fmt"
	"math"
	"slices"

	"pushdown/harness/golden"
	"pushdown/harness/stepgraph"
)

// Scalar is a number that a graph reads and that changes from update to update, such as a
// temperature. Its first value is Start. At the end of each period of Every updates it is
// multiplied by Factor. It is a function of the update number, so a resumed run computes
// it instead of reading it from the checkpoint. A validation uses the value of the last
// update before it, and the trajectory records that value.
type Scalar struct {
	Name    string  `json:"name"`    // name of the scalar in trajectories, and of the graph's input unless Inverse is set
	Inverse bool    `json:"inverse"` // the graph reads the inverse of the number instead, from the input 1/Name
	Start   float64 `json:"start"`   // above 0
	Factor  float64 `json:"factor"`  // above 0; 1: constant
	Every   int     `json:"every"`   // updates; 0: an epoch
}

// Input returns the name of the input of the graph and its value.
func (s Scalar) Input(value float64) (name string, x float32) {
	if s.Inverse {
		return "1/" + s.Name, float32(1 / value)
	}
	return s.Name, float32(value)
}

// check returns an error if the schedule is invalid.
func (s Scalar) check() error {
	positive := func(x float64) bool { return x > 0 && !math.IsInf(x, 0) }
	switch {
	case s.Name == "":
		return fmt.Errorf("scalar: have no name, want that of an input of the graph")
	case s.Name == golden.RateKey || s.Name == golden.LossKey:
		return fmt.Errorf("scalar: have the name %s, want one that trajectories do not use already", s.Name)
	case !positive(s.Start) || !positive(s.Factor):
		return fmt.Errorf("scalar %s starts at %v and is multiplied by %v, want positive numbers", s.Name, s.Start, s.Factor)
	case s.Every < 0:
		return fmt.Errorf("scalar %s is multiplied every %d updates, want at least 0", s.Name, s.Every)
	}
	return nil
}

// scheduled is a Scalar with its value in a run.
type scheduled struct {
	Scalar
	every int
	done  int // number of factors in value; -1: not used yet
	value float64
}

// at sets s.value to the value of the scalar at the given update, counted from 0, and
// reports whether s.value can have changed. Each multiplication is rounded separately.
func (s *scheduled) at(update int) (changed bool) {
	n := update / s.every
	if n == s.done {
		return false
	}
	if s.done < 0 || n < s.done {
		s.done, s.value = 0, s.Start
	}
	for ; s.done < n; s.done++ {
		s.value = float64(s.value * s.Factor)
	}
	return true
}

// schedule returns the scalars of an experiment with their state before the first
// update.
func (e *Experiment) schedule() []scheduled {
	var list []scheduled
	for _, s := range e.Scalars {
		every := s.Every
		if every == 0 {
			every = e.Train.PerEpoch()
		}
		list = append(list, scheduled{Scalar: s, every: every, done: -1})
	}
	return list
}

// checkScalars returns an error for a scalar that the training graph does not read,
// and for an input of the training or the evaluation graph that no scalar sets.
func (e *Experiment) checkScalars(training, eval *stepgraph.Graph) error {
	var given []string
	for _, s := range e.Scalars {
		name, _ := s.Input(1)
		if in := training.Input(name); in == nil || in.Domain != stepgraph.Static {
			return fmt.Errorf("train: %s: have a scalar for the input %s, want an input that the graph reads", e.Name, name)
		}
		if slices.Contains(given, name) {
			return fmt.Errorf("train: %s: have two scalars for the input %s, want one", e.Name, name)
		}
		given = append(given, name)
	}
	for _, g := range []*stepgraph.Graph{training, eval} {
		for _, in := range g.Inputs {
			if in.Domain == stepgraph.Static && !slices.Contains(given, in.Name) {
				return fmt.Errorf("train: %s: have no scalar for the input %s, want one: the graph reads it", e.Name, in.Name)
			}
		}
	}
	return nil
}

// setScalars sets the inputs of the graph to the values of an update.
func (r *runner) setScalars(update int) error {
	for i := range r.scalars {
		s := &r.scalars[i]
		if !s.at(update) {
			continue
		}
		name, x := s.Input(s.value)
		r.number[0] = x
		if err := r.vm.SetFloats(name, r.number[:]); err != nil {
			return fmt.Errorf("update %d: %w", update+1, err)
		}
	}
	return nil
}

// values returns the values of the scalars at the last update, nil if there are none.
func (r *runner) values() []float64 {
	var list []float64
	for _, s := range r.scalars {
		list = append(list, s.value)
	}
	return list
}
