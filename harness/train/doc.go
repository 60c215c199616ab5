// Package train trains a model. [Run] takes an [Experiment], a description of the run,
// and returns a [Result] that can be compared with a golden file.
//
// A run is a function of the experiment alone. A batch is a function of the update number,
// and at most of earlier validations, so a run that resumes from a checkpoint reads the
// same batches. Decisions (a new best, a cut of the learning rate, the end) depend only on
// validation losses, which are float64 sums in row order. The clock affects only progress
// reports, deadlines and when checkpoints are written.
//
// Usage:
//
//	res, err := train.Run(exp, train.Options{Device: dev, Progress: f})
//	res.Trajectory                       // digests along the run
//	ev, err := train.NewEvaluator(...)   // metrics of res.Params on a test set
//
// A run fails if a loss, a gradient norm or a parameter is not finite. If
// [Online.BestIfDiverged] is set and a loss or a parameter is not finite, the run
// instead ends with the best parameters so far. Parameters are checked at each
// validation, at the end, and whenever they enter a digest or a checkpoint.
//
// A graph may read a number that changes during the run, such as a temperature.
// Such a number is a [Scalar] of the experiment. It is part of the hash, of the
// state digest and of each decision in the trajectory, and it is a function of the
// update number alone.
//
// A run on batches ([Source]) makes one update per batch. Batches may continue one
// another, so that a long text is read in columns; with [Experiment].Window, a gradient
// then goes back through the steps of earlier batches. A run on a stream ([Online]) of
// symbols learns while it reads, from a window of the last steps, and may update after
// every symbol.
//
// A run that is stopped, by its caller or by SIGKILL, loses at most the work since
// its last checkpoint. If it is run again with that checkpoint, its result has the
// same bits. A checkpoint is taken at the end of an update, or between strings of a
// stream. It holds everything that later updates read:
//
//   - parameters, moments and the best parameters
//   - schedules, validations and digests so far
//   - the states that the next batch continues (Batch.Continue)
//   - for a stream, the steps that a gradient may still reach and the symbols that
//     wait for their update
//
// It does not hold what follows from the experiment and the update number: batches,
// scalars and random streams. Nor does it hold the results of an unfinished
// validation or the symbols that were read of an unfinished string. A resumed run
// repeats the validation and reads the string again.
//
// A checkpoint belongs to one run at a time. If it cannot be written, the run
// reports that and goes on. [Options].Ended receives the result before the
// checkpoint is removed. If Ended returns an error, the checkpoint stays.
package train
