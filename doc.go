// Package pushdown is a reproducibility benchmark suite packaged as Go tests.
// Its subject is four papers on second-order and stack-augmented recurrent
// networks. Each of their tables is a test that trains with fixed seeds and
// holds the result against golden files and against the published numbers; the
// throughput of kernels and of training is tracked with benchstat.
//
//	go test ./suites/dyck -run WCPA -v                 # train, evaluate, compare with the golden files and the paper
//	go test ./...                                      # what needs no download, no GPU and no patience
//	go test -run '^$' -bench . | go tool benchstat -   # speed of kernels and of training
//
// # How it works
//
// A cell is written once, in models, as the graph of a single time step made of
// the operations of harness/stepgraph. Everything else follows from it: its
// gradient, its slow reference run on Gorgonia's TapeMachine, its parameter
// count, and the program that harness/scan plans from it and scans over packed
// strings. The program runs on a device of harness/kernel: the host's
// processor or an NVIDIA GPU. harness/train makes updates of it until an experiment ends;
// harness/suite runs the rows of a suite in tests and keeps their results;
// harness/golden compares them with the golden files, and harness/verdict with what
// the papers print.
//
// # What is promised
//
// The same experiment, scale and seed give the same bits on every device,
// instruction set and number of threads, run through or resumed. The order of
// every sum and the form of every function are laid down in harness/kernel, all
// chance comes from the counter-based streams of harness/rng, and digests along
// each run are compared exactly.
//
// What a paper reports and our seeds do not predict is recorded as such, beside
// what they give.
//
// # Order
//
// Imports point one way: golden, harness, models and corpora, suites, this
// package, ci. This package has no code but the benchmarks that the third
// command runs: products, the kernels beside them, and training updates of
// networks small and large.
package pushdown
