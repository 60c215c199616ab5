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
// Package models defines each cell once, as the graph of a single time step. The graph is
// made of operations of harness/stepgraph. Everything else is derived from it: the
// gradient, a slow reference run on Gorgonia's TapeMachine, the parameter count, and a
// program that harness/scan plans and runs over batches of strings. The program runs on a
// device of harness/kernel: the host's processor or an NVIDIA GPU. harness/train updates
// the parameters until an experiment ends. harness/suite runs the rows of a suite in tests
// and keeps the results. harness/golden compares the results with the golden files, and
// harness/verdict compares them with the papers.
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
// The layers are, from the lowest to the highest: golden, harness, models and corpora,
// suites, this package, ci. A package imports only packages of its own layer and of
// lower layers. This package contains only the benchmarks that the third command above
// runs: matrix products, other kernels, and training updates of small and large
// networks.
package pushdown
