package train

import (
	"fmt"

	"pushdown/harness/optim"
	"pushdown/harness/stepgraph"
)

// Experiment describes one run: the model, the data, the training procedure and the
// seed.
type Experiment struct {
	// Name identifies the run in messages.
	Name string `json:"name"`
	// About describes what decides the result but is visible neither in the other fields,
	// nor in the graph of the model, nor in the sizes of batches: the corpus, its seed,
	// the lengths of its strings and the like. It may also hold anything else that a
	// reader wants to know. As JSON, About is part of the hash of the experiment. Its
	// fields need json tags; without them a rename would change the hash.
	About any `json:"about"`
	// Build returns the step graph of the model, for training or for evaluation.
	Build func(stepgraph.Config) (*stepgraph.Graph, error) `json:"-"`
	Train Source                                           `json:"-"` // nil in an online run
	// Online makes the run learn from a stream instead of from the batches of Train.
	Online Online `json:"online,omitzero"`
	Valid  Set    `json:"-"`

	Seed       uint64        `json:"seed"`                 // seeds initialisation, order, dropout and noise
	Rule       optim.Rule    `json:"rule"`                 // how parameters are updated
	Plateau    optim.Plateau `json:"plateau"`              // what happens after each validation
	CheckEvery int           `json:"check_every"`          // updates between validations; 0: an epoch
	MaxUpdates int           `json:"max_updates"`          // upper bound on the updates of the run
	BPTT       int           `json:"bptt"`                 // truncation of back-propagation in steps; 0: none
	Window     int           `json:"window,omitempty"`     // steps through which a gradient goes back in batches that continue one another; 0: it does not leave its batch
	GradScale  int           `json:"grad_scale"`           // exponent: the loss is multiplied by 2^GradScale for the gradient; see scan.Options
	PerString  bool          `json:"per_string,omitempty"` // the loss of a batch is the mean over strings of the sum over their examples, instead of the mean over examples
	Best       bool          `json:"best"`                 // the result has the parameters with the lowest validation loss instead of the last ones; requires at least one validation
	Scalars    []Scalar      `json:"scalars,omitempty"`    // scheduled numbers that the graph reads

	// Observe, unless it is nil, is called at the start of each validation and returns
	// two functions. The validation calls visit for each batch and calls figures at its
	// end. The result of figures becomes Validation.Figures.
	Observe func() (visit func(*BatchOutput) error, figures func() ([]float64, error)) `json:"-"`
	// ExtraSets lists further sets that each validation evaluates, in this order. Their
	// figures are appended to those of Observe and do not influence the run.
	ExtraSets []ExtraSet `json:"-"`
	// OnValidation, unless it is nil, is called before the first update, when a run
	// resumes, and after each validation. Its argument lists all validations so far.
	// Batches may depend on them.
	OnValidation func(checks []Validation) `json:"-"`
}

// ExtraSet is a set that a run evaluates in addition to its validation set.
type ExtraSet struct {
	Set     Set
	Observe func() (visit func(*BatchOutput) error, figures func() ([]float64, error))
}

// check returns an error if the experiment cannot run.
func (e *Experiment) check() error {
	if err := e.checkParts(); err != nil {
		return err
	}
	switch {
	case e.online():
		if err := e.checkOnline(); err != nil {
			return err
		}
	case e.MaxUpdates < 1:
		return fmt.Errorf("train: %s runs at most %d updates, want at least 1", e.Name, e.MaxUpdates)
	case e.CheckEvery < 0 || e.BPTT < 0 || e.Window < 0:
		return fmt.Errorf("train: %s: have CheckEvery %d, BPTT %d and Window %d, want at least 0", e.Name, e.CheckEvery, e.BPTT, e.Window)
	case e.Train.PerEpoch() < 1:
		return fmt.Errorf("train: %s has %d updates in an epoch, want at least 1", e.Name, e.Train.PerEpoch())
	}
	if e.Best && !e.online() && e.MaxUpdates < e.checkEvery() {
		return fmt.Errorf("train: %s: have Best set and the first validation after %d updates, want it by the end of the run after %d updates", e.Name, e.checkEvery(), e.MaxUpdates)
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

// checkParts returns an error if a part of the experiment is missing.
func (e *Experiment) checkParts() error {
	if e.Build == nil || e.Train == nil && !e.online() || e.Valid == nil {
		return fmt.Errorf("train: %s lacks a model, training data or validation data", e.Name)
	}
	for i, w := range e.ExtraSets {
		if w.Set == nil || w.Observe == nil {
			return fmt.Errorf("train: %s: extra set %d: have a nil Set or Observe, want both", e.Name, i)
		}
	}
	if e.Train != nil && e.online() {
		return fmt.Errorf("train: %s has both batches and a stream to train on, want one", e.Name)
	}
	return nil
}

// checkEvery returns the number of updates between validations.
func (e *Experiment) checkEvery() int {
	if e.CheckEvery > 0 {
		return e.CheckEvery
	}
	return e.Train.PerEpoch()
}
