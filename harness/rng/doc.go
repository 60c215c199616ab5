// Package rng is the source of chance in training and in corpora: the
// counter-based generator Philox4x32-10 and named streams over it. (Package
// golden, which imports nothing of the harness, has a generator of its own for
// the bootstrap that judges claims; no run sees its numbers.) A random number is a
// function of (seed, stream name, logical coordinates) and of nothing else: not
// of the order in which numbers are asked for, of the number of threads, of the
// device, or of a position in some buffer. So a resumed run, a run on four
// threads and a run on a GPU see the same numbers, and there is no generator
// state to save.
//
// Steps of use:
//
//	s := rng.New(seed, "init/W_o")                          // one stream per purpose
//	w := s.Uniform(rng.At{Unit: i, Row: j}, -0.1, 0.1)      // one number per coordinate
//	s.Perm(order, epoch)                                    // a whole permutation
//	q := s.Seq(stringIndex, attempt)                        // a sampler's own sequence
//
// # Streams
//
// The Philox key of a stream is the first 8 bytes of
// SHA-256(seed as 8 bytes little-endian || name), read as two little-endian
// words. The seed has a fixed width, so no two (seed, name) pairs hash the same
// text. Nothing divides a stream further: a second purpose takes a second name.
//
// # Coordinates
//
// The 128-bit counter is At, four words of fixed meaning:
//
//	word 0  Unit    unit, element of a tensor, or number of the draw
//	word 1  Row     row of a tensor, or index of a string
//	word 2  T       time step, or attempt
//	word 3  Update  update, or epoch
//
// A method that takes an At reads one block there and yields one number; two
// methods at the same coordinate of the same stream read the same words, so a
// stream is used for one kind of draw.
//
//	Uint32, Uniform, Normal, Bernoulli   word 0 of the block
//	Float64                              words 0 and 1
//	IntN                                 word 0; T is the attempt
//	Perm                                 all four words; T is the attempt, Row is 0
//	Seq                                  all four words; Unit counts blocks
//
// Rejection needs fresh words, and takes them from T: the first attempt is T=0,
// the next T=1, and so on. A stream that draws bounded integers by coordinate
// therefore has no time axis, and IntN panics when T is not zero.
//
// # Numbers
//
// Every conversion from bits to a number is exact or a stated sequence of
// rounded operations, without the platform's math library, so a kernel in any
// language can repeat it. Frozen outputs of every method stand in
// testdata/frozen.txt; they belong to the numeric contract.
//
// # References
//
// Philox: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011. Bounded integers: D. Lemire, "Fast random integer
// generation in an interval", ACM TOMACS 29(1), 2019.
//
// The generator is statistical, not cryptographic: do not draw secrets from it.
package rng
