// Package pushdown is a reproducibility benchmark suite packaged as Go tests.
// It covers four papers on second-order and stack-augmented recurrent networks.
// Each table of the papers is a test that trains with fixed seeds and compares the
// results with golden files and with the published numbers. Benchmarks measure the
// throughput of kernels and of training for benchstat.
//
//	go test ./suites/dyck -run WCPA -v                 # train, evaluate, compare with the golden files and the paper
//	go test ./...                                      # all tests that need no download, no GPU and no long run
//	go test -run '^$' -bench . | go tool benchstat -   # speed of kernels and of training
//
// # How it works
//
// Package models defines each cell once, as the graph of a single time step made of
// the operations of harness/stepgraph. Everything else is derived from it: its
// gradient, its slow reference run on Gorgonia's TapeMachine, its parameter
// count, and the program that harness/scan plans for it and scans over packed
// strings. The program runs on a device of harness/kernel: the host's
// processor or an NVIDIA GPU. harness/train updates the parameters until an experiment
// ends. harness/suite runs the rows of a suite in tests and keeps their results.
// harness/golden compares them with the golden files, and harness/verdict with the
// papers.
//
// # What is promised
//
// The same experiment, scale and seed give the same bits on every device,
// instruction set and number of threads, whether a run is resumed or not.
// harness/kernel fixes the order of every sum and the form of every function,
// all random numbers come from the counter-based streams of harness/rng, and
// digests along each run are compared exactly.
//
// A published result that our seeds do not reproduce is recorded as such, beside
// our own.
//
// # Order
//
// Imports point one way: golden, harness, models and corpora, suites, this
// package, ci. This package contains only the benchmarks that the third
// command runs: products, other kernels, and training updates of
// networks small and large.
package pushdown
