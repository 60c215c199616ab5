package train

import (
	"time"

	"pushdown/harness/golden"
)

// Reasons why a run ends.
const (
	byPatience = "patience" // Plateau.Stop validations without a new best
	byLoss     = "loss"     // the validation loss is below Plateau.StopBelow
	byUpdates  = "updates"  // the experiment allows no further update
	byPrefix   = "prefix"   // the run has made Options.Updates updates
	byRate     = "rate"     // the learning rate is below Plateau.MinLR
	byEpochs   = "epochs"   // the online experiment allows no further epoch

	byDivergence = "divergence" // a loss or a parameter is not finite, and Online.BestIfDiverged is set
)

// keyDiverged is the key of the number that the trajectory has at the end of a run that diverged: 1.
const keyDiverged = "diverged"

// Progress reports how far a run has come.
type Progress struct {
	Update    int
	Epoch     int     // from 1
	Loss      float64 // mean loss of the last batch, nats
	Valid     float64 // last validation loss, nats; NaN before the first validation
	LR        float64
	Rows      int64 // packed rows trained by this process
	Validated bool  // the update ended with a validation
}

// Validation is the outcome of one validation.
type Validation struct {
	Update int
	Loss   float64 // mean nats
	LR     float64 // learning rate of the updates before the validation
	Best   bool

	Scalars []float64 `json:",omitempty"` // values of the scalars of the experiment at the last update before the validation
	Figures []float64 `json:",omitempty"` // figures of Experiment.Observe and of the extra sets
}

// Result is the result of a run. Rows and Took cover all processes that contributed to
// the run, without the work that a stop or a kill lost.
type Result struct {
	Updates    int
	Checks     []Validation
	Params     *Params // last parameters, or the best ones if the experiment has Best set
	Trajectory golden.Trajectory
	Stopped    string        // why the run ended: patience, loss, rate, updates, epochs, divergence or prefix
	Complete   bool          // false if Options.Updates ended the run
	Rows       int64         // packed rows trained
	Took       time.Duration // time of training, without validations
	Resumed    int           // update from which the run resumed; 0 if it started from the beginning
	Strings    int           // number of strings that an online run has read to their end
}

// Epochs returns the number of epochs trained, as a fraction. It is the number of updates
// divided by the number of updates in an epoch. In an online run, strings are counted in
// place of updates.
func (r *Result) Epochs(e *Experiment) float64 {
	if e.online() {
		return float64(r.Strings) / float64(e.perEpoch())
	}
	return float64(r.Updates) / float64(e.Train.PerEpoch())
}
