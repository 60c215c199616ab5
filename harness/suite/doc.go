// Package suite is the glue between experiments and the testing package: the
// environment that selects what runs, and what a run shows.
//
// A suite uses it in this order. [Main] in its TestMain reads the environment
// and prints the Unit lines of the benchmarks. [Run] starts a subtest named
// after a published row and seed if it belongs to the shard, [RunAll] many of
// them side by side. [Skip] leaves out what a machine lacks, or fails where
// PUSHDOWN_REQUIRE says it must be there. Within the run a [Progress] reports, a
// [Deadline] says when to write a checkpoint and to stop, [Artifact] keeps files,
// and [Attributes] and [ReportMetric] hand over the results.
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
