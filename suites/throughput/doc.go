// Package throughput holds what is measured for speed, as data: products of
// matrices, kernels, and whole updates of the networks of the papers at their
// own sizes. The benchmarks of the root package run it, a comparison with
// another framework reads the sizes of its networks here.
//
//	for _, w := range throughput.Updates() { // each on one thread and on two
//		run, done, err := w.Open(dev)
//		err = run() // once
//		err = done()
//	}
//
// # Bounds
//
// A [Work] of products or kernels says what its run cannot do without: the FLOPs
// of its arithmetic and the [Traffic] between the processor and cache or memory.
// One of updates says what its equations cost, see below. The benchmarks'
// peak-% is the bound over the measured time; the bound is the longer of two
// times: what the FLOPs take at the peak of the processor's FMA units, and what
// the traffic takes at the speed of a plain copy with the same footprint, hence
// from the same level of cache. Reading is easier than copying, so what mostly
// reads may come out above 100 per cent.
//
// An FMA is two operations. Where a kernel is not made of FMAs each vector
// instruction that an FMA could have taken the place of (a sum, a product, a
// comparison, a division, a root) also counts as two, so that a loop limited by
// those units shows 100 per cent. A division takes longer than that and whole
// numbers count for nothing, so no loop with either reaches it.
//
// # Networks
//
// The sizes are those of tables 1 of resurgence and second-order-lstm, see
// [Cases]. Tokens are random: no sum depends on what they are, and the speed of
// nothing but the gradient of the embedding does. An update is a forward and a
// backward pass over a batch and Adam; nothing is clipped.
//
// The FLOPs of an update are the cost of its equations as written, so that
// shares of the peak compare whatever a program does to save arithmetic; others
// call it the utilisation by the model's FLOPs. It is no lower bound, since a
// plan may do with less: where tokens are at least twice as many as symbols,
// products by an embedding on the way forward are made once for each symbol,
// nearly a quarter of the FLOPs of case d, a few per cent of a, e and g. A share
// above 100 per cent is possible and no mistake.
package throughput
