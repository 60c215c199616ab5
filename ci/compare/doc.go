// Command compare tells whether a commit has made benchmarks slower. It builds
// the tests of two commits, runs their benchmarks in turn on this machine, and
// judges as command gate does, with the same exit status:
//
//	go build -o ../compare ./ci/compare
//	../compare HEAD~1 HEAD
//	../compare -bench 'GEMM|Train' -most 40 v1.0 HEAD . ./harness/scan
//
// The second takes hours. The command is built outside of the tree, where it
// would be a change of its own.
//
// In order:
//
//  1. Both commits are checked out in worktrees below a temporary folder, and
//     built there with the Go command and the environment of the caller. Only
//     commits count: a working tree with changes is refused if one of the two is
//     the commit that is checked out, unless -dirty says that they do not matter.
//     Two names of one commit are refused, too.
//  2. A first run of everything, one iteration each, finds the benchmarks.
//  3. A sample is one process that runs one benchmark of one side. Blocks of four
//     rounds alternate the sides as package trial has it, so that what is compared
//     with each other is seconds apart, and processes differ in where their memory
//     lies.
//  4. After -rounds samples the noise is looked at, and benchmarks that need more
//     samples get them, up to -most. Whether a loss shows plays no part in that:
//     stopping on it would make false alarms. See package trial.
//  5. All samples are judged once.
//
// The texts hold, beside the lines of package testing, the commit, the round, the
// Go version and the variables that change what is measured. With -out they are
// kept and can be judged again by command gate, or shown by
//
//	go tool benchstat -ignore commit,round folder/base.txt folder/head.txt
//
// A base that does not exist is status 4, no baseline. What does not build, fails
// or prints no result is status 2. Ctrl-C ends with status 2 and removes the
// worktrees.
package main
