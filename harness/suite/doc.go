// Package suite describes a suite of experiments as data and runs it.
//
// A [Suite] lists [Table] values. For each scale, a table lists the rows to run and
// the number of seeds of each ([Part], [Runs]). A [Row] has a method ID, which
// says where the paper publishes it, and three others: Build makes the experiment
// of a seed, Measure measures the trained model, and Trace returns the data that
// figures draw. [Suite.Run] does the rest inside a test: it trains the runs, or reads
// back the results that earlier processes made, compares them with the golden file,
// and draws the figures. Package suitetest has the tests that every suite must pass. A
// suite does not call the individual checks, so it cannot forget one.
//
// # Results
//
// A finished run writes a [Result] to the state folder before its checkpoint is
// removed. The file is named by the hash of the experiment and holds the row, the
// trajectory, the validations, the trace and the parameters. At paper scale, a
// later process reads the result back instead of training again. Everything that the
// repository keeps of a run, from its golden row to its parameters, is made from the
// result alone. So a finished run is not lost if another run fails, if the deadline
// stops the process, or if the runs are divided into shards or move to another
// machine. Command ci/cluster brings the results of several machines together.
//
// Before the runs of a table begin, go test -v shows how many of them will be
// trained, and an estimate of the hours that this takes. The estimate comes from
// the golden file. On a device other than the CPU, the first updates of each row are
// measured, too, unless PUSHDOWN_RESUME=only, and give the hours of an epoch and of a whole run.
//
// A result that is read back does not prove that the current program still computes
// the same result. [Suite.Run] therefore repeats the first updates of the run,
// golden files name the commit that trained it, and every report says that the
// result was read back.
//
// # Interrupted updates
//
// With -update, [Suite.Run] writes the golden files, then the kept
// parameters, then removes from [PrefixFile] what the golden files now have, then writes the
// traces. The pages are written later, by ci/pages. Each file is replaced atomically and none
// refers to another. If the process is killed or the disk is full between two files, run the same
// command again: it reads the results back and writes the other files. Until then the tests of the
// suite fail and name the file that is
// behind: kept parameters must have the digests in the golden file, figures are drawn from
// the traces, and a page must be what the golden files give.
//
// # Adding a paper
//
//   - Put the tables and claims of the paper into golden/papers/tables, with one
//     number per line. For each number, units.csv says which unit of a suite measures
//     it; the package comment of papers describes its columns. For each table, shape.go says how the paper lays it out.
//   - Write a suite: its data and rows, a Suite that
//     lists tables, units, claims and figures, a test of a few lines that passes it
//     to the runner, and a package comment that says how the suite fills each gap
//     in the paper. suitetest.Run checks the rest. Begin with suites/charlm for the form, and
//     experiments.go and measure.go of suites/dyck for Build and Measure. suites/patterns also has figures and traces. A
//     row with a method Exchange can be exported to other frameworks.
//   - List the suite in suites.All, in the table of ci/imports_test.go, in ci/cluster/Containerfile and in
//     .github/workflows/parts.yml, and the paper in README.md, in the package comment of papers and in titles of
//     ci/pages/site.go.
//   - Commit this, because golden files name the commit that made them. Create them in the clean tree, the small scales first:
//     go test -buildvcs=true ./suites/x -short -update "first run", the same without -short, and with PUSHDOWN_SCALE=paper.
//   - Run git add -A, go run ./ci/pages -w and go test ./golden/papers ./suites/... ./harness/verdict ./ci/..., which name
//     what is missing. If a number differs, say in papers.TableInterpretations what was tried. Commit the golden files
//     and the pages.
//
// The package comment of models says how to add a cell, an operation or a row to a suite that is
// there. To remove a row, also remove its lines from the golden files by hand.
//
// # Environment
//
// [Variables] lists the environment variables that are read, and [Parse] reads them
// once. An empty variable counts as unset. An unknown value, a contradiction and an
// unknown variable that begins with PUSHDOWN_ are errors. A device other than the CPU uses
// neither PUSHDOWN_ISA nor PUSHDOWN_THREADS. The settings are environment variables and
// not flags, because go test ./... passes a flag to every package, including those that do
// not define it.
//
// A trap: go test caches passing results, and its cache considers only the
// variables that a test looked up by name. A misspelt variable is therefore
// reported only if the test runs and go test does not show a cached result. Pass
// -count=1 where a script sets the environment.
//
// # Asking for rows
//
// A pattern of -run has the name of the test of a table, then the parts of the name of a run:
//
//	go test ./suites/dyck -run 'WCPA/paper/table/row=dyck-m4$/seed=1$'
//
// If the tests of tables run and such a pattern selects none of their runs, the process fails
// and names near rows and the scales that have what was asked for. A pattern whose first part is the
// test of no table passes, because it may be meant for another package.
//
// # Shards
//
// PUSHDOWN_SHARD=2/8 divides all runs into eight shards and selects the second, so
// that eight machines can share the work. The hash of a run's name determines its
// shard, so no list of runs is needed, and adding a run does not move any other run.
//
// # Deadlines
//
// go test kills a binary at its -timeout without running cleanups. A run that would
// not finish in time saves its state and fails with the command that resumes it. It stops
// before the deadline by a reserve, which is the same for all runs of a process, and by the
// time of one of its updates and two of its checkpoints. Once a run had to stop, no other run
// begins. The remaining runs fail at once, with the command that runs them. [Main] refuses
// a -timeout of less than a second, in which a run could not save its state.
//
// # Signals
//
// SIGINT, SIGTERM and SIGHUP (os.Interrupt on Windows) stop the runs at once, at every
// scale. Each run saves its state after the current update or string, no other run
// begins, and the process exits with status 75 a second after the last run has stopped,
// even if other tests are still running. A second signal ends the process immediately,
// unless it comes within a quarter of a second. The status is that of the test binary, and
// tells a scheduler to run it again; go test itself prints it and exits with 1.
//
// The resume command is printed on the terminal, because an interrupted go test
// drops the output that it has not shown yet. Without a terminal the command goes
// to standard error, which go test shows only with -v. Send the signal to the
// process group, as Ctrl-C does: go test does not pass it on.
package suite
