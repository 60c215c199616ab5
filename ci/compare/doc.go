// Command compare reports whether a commit has made benchmarks slower. It builds the
// tests of two commits, runs their benchmarks in turn on this machine, and judges
// the results by the rules of command gate, with the same exit status:
//
//	go build -o ../compare ./ci/compare
//	../compare HEAD~1 HEAD
//	../compare -bench 'GEMM|Train' -most 40 v1.0 HEAD . ./harness/scan
//
// The second of these comparisons takes hours. The command must be built outside of the
// working tree, as shown, because inside, the built file would be an uncommitted
// change.
//
// The steps are:
//
//  1. Check out both commits in worktrees below a temporary folder, and build their
//     tests there with the caller's Go command and environment. Only committed files
//     are measured. So if one of the two commits is checked out in the working tree,
//     and the working tree has changes, the command refuses to run, unless -dirty says
//     to ignore the changes. It also refuses two names of the same commit.
//  2. Run each benchmark for one iteration, to find the names of all benchmarks.
//  3. Take 16 samples of each benchmark and side. A sample is one process that
//     runs one benchmark of one side. The sides alternate in blocks of four rounds,
//     see package trial, so that the samples compared with each other are seconds
//     apart. A new process for each sample varies the memory layout.
//  4. Estimate the noise, and take more samples of the benchmarks that need them, until
//     each has enough samples or as many as the flag -most allows. The number of samples
//     does not depend on whether a loss shows, because stopping on a loss would cause
//     false alarms.
//  5. Judge all samples once.
//
// The results of each side are a benchmark text, in the format of package testing. It
// also holds the commit and its time, the round, the device, the Go version and the build
// settings and environment variables that influence the measurements. With -out the command keeps
// the two texts, for command gate, benchstat and a history. With -history, head is also judged by
// a history, as command gate does.
//
// If the commit base does not exist, the status is 4, no baseline. If tests do not
// build, or a benchmark fails or prints no result, the status is 2. Ctrl-C removes the
// worktrees and ends the command with status 2.
package main
