package train

import (
	"fmt"
	"math"
	"slices"

	"pushdown/harness/stepgraph"
)

// Scalar is a number that a graph reads and that changes from update to update
// without another graph: a temperature. It is Start at first and multiplied by
// Factor after every so many updates, so it follows from the number of the
// update alone: a run that goes on from a checkpoint has it without having kept
// it. A validation is made with the number of the update before it, and its
// decision has it in the trajectory.
type Scalar struct {
	Name    string  `json:"name"`    // of the graph's input and in trajectories
	Inverse bool    `json:"inverse"` // the graph reads one over the number instead, from the input 1/Name
	Start   float64 `json:"start"`   // above 0
	Factor  float64 `json:"factor"`  // above 0; 1: the number stays as it is
	Every   int     `json:"every"`   // updates; 0: an epoch
}

// Input is the input that the graph reads the number from, and what it reads.
func (s Scalar) Input(value float64) (name string, x float32) {
	if s.Inverse {
		return "1/" + s.Name, float32(1 / value)
	}
	return s.Name, float32(value)
}

// check refuses a schedule that gives no numbers.
func (s Scalar) check() error {
	positive := func(x float64) bool { return x > 0 && !math.IsInf(x, 0) }
	switch {
	case s.Name == "":
		return fmt.Errorf("a scalar has no name, want that of an input")
	case s.Name == keyLR || s.Name == keyLoss:
		return fmt.Errorf("a scalar is named %s, want a name that a trajectory does not have already", s.Name)
	case !positive(s.Start) || !positive(s.Factor):
		return fmt.Errorf("scalar %s starts at %v and is multiplied by %v, want positive numbers", s.Name, s.Start, s.Factor)
	case s.Every < 0:
		return fmt.Errorf("scalar %s is multiplied every %d updates, want at least 0", s.Name, s.Every)
	}
	return nil
}

// scheduled is a Scalar in a run.
type scheduled struct {
	Scalar
	every int
	done  int // factors in value; -1: it has not been used
	value float64
}

// at brings the number to where it is for an update, counted from 0, and tells
// whether it is another one than before. Each factor is a product rounded by
// itself.
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

// schedule makes the scalars of an experiment ready.
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

// checkScalars refuses scalars that the training graph does not read, and
// inputs of either graph that no scalar gives.
func (e *Experiment) checkScalars(training, eval *stepgraph.Graph) error {
	var given []string
	for _, s := range e.Scalars {
		name, _ := s.Input(1)
		if in := training.Input(name); in == nil || in.Domain != stepgraph.Static {
			return fmt.Errorf("train: %s: the graph reads no number %s", e.Name, name)
		}
		if slices.Contains(given, name) {
			return fmt.Errorf("train: %s: two scalars for the input %s, want one", e.Name, name)
		}
		given = append(given, name)
	}
	for _, g := range []*stepgraph.Graph{training, eval} {
		for _, in := range g.Inputs {
			if in.Domain == stepgraph.Static && !slices.Contains(given, in.Name) {
				return fmt.Errorf("train: %s: the graph reads the number %s, which no scalar gives", e.Name, in.Name)
			}
		}
	}
	return nil
}

// setScalars gives the graph the numbers of an update.
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

// values lists the numbers of the last update, nil if there are none.
func (r *runner) values() []float64 {
	var list []float64
	for _, s := range r.scalars {
		list = append(list, s.value)
	}
	return list
}
