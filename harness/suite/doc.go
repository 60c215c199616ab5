// Package suite holds a suite of experiments as data, and what runs it.
//
// A [Suite] lists [Table] values; a table says for each scale which rows run with how
// many seeds ([Part], [Runs]). A [Row] gives three functions: Build makes the experiment
// of a seed, Measure measures its result, and Trace returns what figures show of it.
// [Suite.Run] does the rest for a test: it trains each run that belongs to the shard,
// or reads its result back, compares what has ended with the golden file, and draws.
// Package suitetest has the tests that every suite must pass. A suite cannot forget a
// check, because it calls none.
//
// # Results
//
// A run that has ended leaves a [Result] in the state folder before its checkpoint goes:
// the row, the trajectory, the validations, the trace and the parameters, in one file
// that is named by the hash of the experiment. At paper scale it is then read back and
// not trained again. Golden files, traces, kept parameters and verdicts are made of
// results alone, so a neighbour that fails, a deadline, a shard or another machine loses
// nothing: results of several folders are brought together by copying.
//
// A result that is read back is not evidence that the program of now computes it. So
// its first updates are repeated, it keeps the commit of its run in golden files, and
// every report says that it was read back.
//
// # Environment
//
// The variables are listed by [Variables] and read once, by [Parse]. Empty
// means unset. An unknown value, a contradiction and an unknown variable that
// begins with PUSHDOWN_ are errors; no variable is ever ignored. They are
// environment variables because go test ./... passes a flag to every package,
// also to those that do not define it.
//
// A trap: go test caches passes, and its cache sees the variables that a test
// asked for by name. A misspelt variable is therefore reported only if the test
// really runs. Give -count=1 where the environment comes from a script.
//
// # Shards
//
// PUSHDOWN_SHARD=2/8 is the second of eight shards. A run belongs to the shard
// that the hash of its name says, so that no list of runs is needed and adding
// one moves no other.
//
// # Deadlines
//
// go test kills a binary at its -timeout without running cleanups. A run that
// would not end in time writes its state and fails with the command that goes
// on, [ResumeCommand]. All runs of a process stop at the same time before its
// deadline, and no run begins after one had to stop: those that are left fail as
// not begun, with the command that runs them, while there is time to print it.
//
// # Signals
//
// SIGINT, SIGTERM and SIGHUP (os.Interrupt on Windows) do the same at once, at
// every scale: runs save their state after the update or string that is under way,
// none begins, and the process ends with status 1 a second after the last of them,
// whatever other tests do. A second signal ends it at once. The command that goes
// on is printed on the terminal, since go test drops what it has not yet shown of
// a package's output when it is interrupted, and without one to the error output:
// run with -v where there is no terminal. Send the signal to the process group, as
// Ctrl-C does: go test does not pass it on.
package suite
