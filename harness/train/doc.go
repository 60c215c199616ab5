// Package train runs an experiment: it takes an [Experiment], which is data,
// and gives a [Result], which a golden file can be held against.
//
// A run is a function of the experiment alone. Batches are a function of the
// update's number, so a run that goes on from a checkpoint sees what it would
// have seen; decisions (a new best, a cut of the learning rate, the end) follow
// from validation losses that are float64 sums in row order; nothing looks at
// the clock but the progress line and the deadline.
//
// Steps of use:
//
//	res, err := train.Run(exp, train.Options{Device: dev, Progress: f})
//	res.Trajectory                       // digests along the run
//	ev, err := train.NewEvaluator(...)   // metrics of res.Params on a test set
//
// A loss, a norm of the gradient or a parameter that is not finite ends the run
// with an error. Where [Online] says so, a loss or a parameter ends it with the best
// parameters so far. Parameters are looked at wherever a digest or a checkpoint is
// made of them, at each validation and at the end.
//
// A number that a graph reads and that changes along the run, such as a
// temperature, is a [Scalar] of the experiment: part of its hash, of the state
// digest and of each decision in the trajectory, and a function of the update
// alone.
//
// A run on batches ([Source]) makes an update for each; one on a stream
// ([Online]) learns while it reads, from a window of the last steps.
//
// A run that is stopped, by its caller or by SIGKILL, loses at most what it did
// since its last checkpoint, and ends in the same bits when it is run again
// with the checkpoint. A checkpoint is of the end of an update, or of a string of
// a stream, and holds all that later updates read: parameters, moments and the best
// parameters; schedules, validations and digests so far; the states that the next
// batch continues (Batch.Continue) and, of a stream, the steps that a gradient
// still goes back through and the symbols that wait for their update. It does not
// hold what follows from the experiment and the number of the update: batches,
// scalars and the streams of random numbers. Nor does it hold a validation under
// way, or the symbols read of a string that is not at its end: they are done again.
//
// A run has its checkpoint to itself. One that cannot be written is told and ends
// no run. What takes the result of a run ([Options].Ended) does so before the
// checkpoint is removed; if it fails, the checkpoint stays.
package train
