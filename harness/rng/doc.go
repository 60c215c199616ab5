// Package rng generates the random numbers of training and of corpora, with the
// counter-based generator Philox4x32-10 and named streams over it. A random number is a
// function of (seed, stream name, coordinates) alone. It does not depend on the order
// of calls, the number of threads, the device or a position in a buffer. So a resumed
// run, a run on four threads and a run on a GPU draw the same numbers, and there is no
// generator state to save. (Package verdict, which resamples the results of finished
// runs, has a generator of its own.)
//
// Usage:
//
//	s := rng.New(seed, "init/W_o")                          // one stream per purpose
//	w := s.Uniform(rng.At{Unit: i, Row: j}, -0.1, 0.1)      // one number per coordinate
//	s.Perm(order, epoch)                                    // a whole permutation
//	q := s.Seq(stringIndex, attempt)                        // a sampler's own sequence
//
// # Streams
//
// The Philox key of a stream is the first 8 bytes of SHA-256(seed as 8 bytes
// little-endian || name), read as two little-endian words. The seed has a fixed width,
// so no two (seed, name) pairs hash the same bytes. Streams have no sub-streams: a
// second purpose needs a second name.
//
// # Coordinates
//
// The 128-bit counter is an At: four words with a fixed meaning:
//
//	word 0  Unit    unit, element of a tensor, or number of the draw
//	word 1  Row     row of a tensor, or index of a string
//	word 2  T       time step, or attempt
//	word 3  Update  update, or epoch
//
// A method with an At parameter reads the block at that coordinate, which is the four
// words that Philox computes from the counter, and returns one number. Two methods at
// the same coordinate of the same stream read the same words, so use each stream for
// one kind of draw only.
//
//	Uint32, Uniform, Normal, Bernoulli   word 0 of the block
//	Float64                              words 0 and 1
//	IntN                                 word 0; T is the attempt
//	Perm                                 all four words; T is the attempt, Row is 0
//	Seq                                  all four words; Unit counts blocks
//
// Rejection sampling needs new words, and gets them by advancing T: the first
// attempt has T=0, the next T=1, and so on. A stream that draws bounded integers by
// coordinate therefore cannot use T as a time step, and IntN panics if T is not
// zero.
//
// # Numbers
//
// Every conversion from bits to a number is exact or a specified sequence of rounded
// operations, without the platform's math library, so a kernel in any language can
// reproduce it. The file testdata/frozen.txt holds outputs of every method; they are
// part of the numeric contract.
//
// # References
//
// Philox: J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011. Bounded integers: D. Lemire, "Fast random integer
// generation in an interval", ACM TOMACS 29(1), 2019.
//
// The generator is statistical, not cryptographic: do not draw secrets from it.
package rng
