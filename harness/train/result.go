package train

import (
	"time"

	"pushdown/harness/golden"
)

// Why runs end.
const (
	byPatience = "patience" // no new best for as many checks as the experiment allows
	byLoss     = "loss"     // the validation loss is as low as the experiment asks
	byUpdates  = "updates"  // the last update that the experiment allows
	byPrefix   = "prefix"   // the last update that the options ask for
	byRate     = "rate"     // the learning rate is as low as the experiment allows
	byEpochs   = "epochs"   // the last epoch that an online experiment allows

	byDivergence = "divergence" // a loss or a parameter that is not finite, where an online experiment allows it
)

// What a trajectory says of each decision.
const (
	keyLR   = "lr"         // the learning rate from there on
	keyLoss = "valid-loss" // mean nats

	keyDiverged = "diverged" // at the end of a run that did: 1
)

// Progress is where a run stands.
type Progress struct {
	Update    int
	Epoch     int     // from 1
	Loss      float64 // mean of the last batch, nats
	Valid     float64 // last validation loss, nats; NaN before the first
	LR        float64
	Rows      int64 // packed rows trained by this process
	Validated bool  // the update ended with a validation
}

// Check is the outcome of one validation.
type Check struct {
	Update int
	Loss   float64 // mean nats
	LR     float64 // that the updates before it had
	Best   bool

	Scalars []float64 `json:",omitempty"` // those of the experiment, as the last of these updates had them
	Figures []float64 `json:",omitempty"` // what the experiment observes
}

// Result is what came of a run. Rows and Took count what leads to it, in all
// processes that had a part in it; what a stop or a kill lost is not in them.
type Result struct {
	Updates    int
	Checks     []Check
	Params     *Params // of the end, or the best ones if the experiment asks for them
	Trajectory golden.Trajectory
	Stopped    string        // why the run ended: patience, loss, rate, updates, epochs, divergence or prefix
	Complete   bool          // false for the beginning of a run
	Rows       int64         // packed rows trained
	Took       time.Duration // by training, validations left out
	Resumed    int           // update that the run went on from, 0 if from the start
	Strings    int           // of an online run, read to the end
}

// Epochs is the number of epochs that the updates, or the strings of an online
// run, make, a fraction.
func (r *Result) Epochs(e *Experiment) float64 {
	if e.online() {
		return float64(r.Strings) / float64(e.perEpoch())
	}
	return float64(r.Updates) / float64(e.Train.PerEpoch())
}
