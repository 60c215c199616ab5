// Package throughput lists, as data, the work whose speed is measured: matrix products,
// kernels, and whole training updates of the papers' networks at their own sizes. The
// benchmarks of the root package run them. A comparison with another framework reads the
// sizes of the networks from here.
//
//	for _, w := range throughput.Updates(throughput.Cases()) { // each on one thread and on two
//		run, done, err := w.Open(dev)
//		err = run() // once
//		err = done()
//	}
//
// # Bounds
//
// A [Work] of products or kernels states a lower bound on its cost: the FLOPs of its
// arithmetic and the [Traffic] between the processor and cache or memory. A Work of
// updates states the cost of its equations; see below. Benchmarks report peak-%, a
// lower bound on the time as a percentage of the measured time. The bound is the longer
// of two times: the time of the FLOPs at the peak of the processor's FMA units, and the
// time of the traffic at the speed of a plain copy. The copy touches as many bytes as
// the work does, so its data are in the same level of cache. Reading is faster than
// copying, so work that mostly reads may exceed 100 per cent.
//
// An FMA counts as two operations. Other vector instructions that occupy the place of an FMA
// (a sum, a product, a comparison, a division, a root) also count as two, so that a loop
// limited by those units shows 100 per cent. Divisions take longer than an FMA, and integer
// instructions are not counted, so a loop with divisions or integer instructions stays below
// 100 per cent.
//
// # Networks
//
// Most sizes are those of table 1 of the paper resurgence and of table 1 of the paper
// second-order-lstm. The networks with 60 stacks have the sizes that the suite wordlm uses
// for the papers stack-rnn and diffstk. See [Cases]. Tokens are random. Their values affect
// only the cost of the gradient of the embedding. An update is a forward and a backward
// pass over a batch, followed by a step of Adam. Gradients are not clipped.
//
// The FLOPs of an update are the cost of its equations as written, whatever a program does
// to save arithmetic, so that percentages of the peak are comparable. The usual name of
// such a percentage is model FLOPs utilization. The FLOPs of an update are no lower bound
// on its cost, because a plan may do less work: if there are at least twice as many tokens
// as symbols, the forward products with an embedding are computed once for each symbol.
// That saves nearly a quarter of the FLOPs of case d and a few per cent of a, e, g, k
// and l. So more than 100 per cent is possible.
package throughput
