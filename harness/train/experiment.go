package train

import (
	"fmt"

	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
)

// Experiment is one run as data: what is trained, on what, how, and from which
// seed.
type Experiment struct {
	// Name is the run's name, for messages.
	Name string `json:"name"`
	// About is everything that decides the result and neither stands below nor
	// shows in the model's graph or in the sizes of batches: the corpus with its
	// seed and lengths, and what a reader wants to know. It is written as JSON
	// into the experiment's hash, so its fields need json tags of their own: without
	// them the hash changes with each rename.
	About any `json:"about"`
	// Build makes the step graph of the model, for training or evaluation.
	Build func(stepgraph.Config) (*stepgraph.Graph, error) `json:"-"`
	Train Source                                           `json:"-"` // nil of an online run
	// Online has the run learn from a stream instead.
	Online Online `json:"online,omitzero"`
	Valid  Set    `json:"-"`

	Seed       uint64        `json:"seed"`                 // of initialisation, order, dropout and noise
	Rule       optim.Rule    `json:"rule"`                 // how parameters are updated
	Plateau    optim.Plateau `json:"plateau"`              // what validation losses decide
	CheckEvery int           `json:"check_every"`          // updates between validations; 0: an epoch
	MaxUpdates int           `json:"max_updates"`          // the run ends there at the latest
	BPTT       int           `json:"bptt"`                 // cut of back-propagation in steps; 0: none
	GradScale  int           `json:"grad_scale"`           // power of two that the loss is scaled by for its gradient; see scan.Options
	PerString  bool          `json:"per_string,omitempty"` // the loss of a batch is the mean over its strings of their sums; else over its examples
	Best       bool          `json:"best"`                 // the result is the best parameters by validation, not the last; needs a validation before the end
	Scalars    []Scalar      `json:"scalars,omitempty"`    // numbers that the graph reads and a schedule changes

	// Observe gives, for each validation, what looks at its batches, and the
	// figures that come of it, which its Check keeps; nil: none.
	Observe func() (visit func(*Outcome) error, figures func() ([]float64, error)) `json:"-"`
	// ExtraSets lists further sets that each validation looks at, in this order. Their
	// figures follow those of Observe and decide nothing.
	ExtraSets []ExtraSet `json:"-"`
	// OnValidation is given all validations so far before the first update, after each of
	// them, and on going on, so that batches may depend on them; nil: nothing is.
	OnValidation func(checks []Check) `json:"-"`
}

// ExtraSet is a set whose figures a run keeps beside those of its validation set.
type ExtraSet struct {
	Set     Set
	Observe func() (visit func(*Outcome) error, figures func() ([]float64, error))
}

// check refuses an experiment that cannot run.
func (e *Experiment) check() error {
	if err := e.whole(); err != nil {
		return err
	}
	switch {
	case e.online():
		if err := e.checkOnline(); err != nil {
			return err
		}
	case e.MaxUpdates < 1:
		return fmt.Errorf("train: %s runs at most %d updates, want at least 1", e.Name, e.MaxUpdates)
	case e.CheckEvery < 0 || e.BPTT < 0:
		return fmt.Errorf("train: %s validates every %d updates and cuts every %d steps, want at least 0", e.Name, e.CheckEvery, e.BPTT)
	case e.Train.PerEpoch() < 1:
		return fmt.Errorf("train: %s has %d updates in an epoch, want at least 1", e.Name, e.Train.PerEpoch())
	}
	if e.Best && !e.online() && e.MaxUpdates < e.checkEvery() {
		return fmt.Errorf("train: %s: the result is the best by validation, but none is made: the first after %d updates, the end after %d", e.Name, e.checkEvery(), e.MaxUpdates)
	}
	if err := e.Plateau.Check(); err != nil {
		return fmt.Errorf("train: %s: %w", e.Name, err)
	}
	for _, s := range e.Scalars {
		if err := s.check(); err != nil {
			return fmt.Errorf("train: %s: %w", e.Name, err)
		}
	}
	return nil
}

// whole refuses an experiment without its parts.
func (e *Experiment) whole() error {
	if e.Build == nil || e.Train == nil && !e.online() || e.Valid == nil {
		return fmt.Errorf("train: %s lacks a model, training data or validation data", e.Name)
	}
	for i, w := range e.ExtraSets {
		if w.Set == nil || w.Observe == nil {
			return fmt.Errorf("train: %s: further set %d lacks its strings or what looks at them", e.Name, i)
		}
	}
	if e.Train != nil && e.online() {
		return fmt.Errorf("train: %s has both batches and a stream to train on, want one", e.Name)
	}
	return nil
}

// checkEvery is the number of updates between validations.
func (e *Experiment) checkEvery() int {
	if e.CheckEvery > 0 {
		return e.CheckEvery
	}
	return e.Train.PerEpoch()
}
