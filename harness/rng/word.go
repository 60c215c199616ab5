package rng

import "pushdown/harness/numeric"

// The functions below are for kernels, which draw many numbers with one key. They
// return the key of a stream, the stream of a key, and the numbers that Uniform and
// Normal compute from word 0.

// Key returns the two words of the key of s.
func (s Stream) Key() [2]uint32 { return [2]uint32{s.k0, s.k1} }

// FromKey returns the stream with the given key.
func FromKey(key [2]uint32) Stream { return Stream{k0: key[0], k1: key[1]} }

// Unit returns (word >> 8) * 2^-24, in [0, 1), exactly.
func Unit(word uint32) float32 { return float32(word>>8) * 0x1p-24 }

// StandardNormal returns the normal quantile of p = (word + 1/2) * 2^-32, computed in
// float64 and rounded once. p is exact and symmetric about 1/2, so the numbers are
// symmetric about 0. Their largest magnitude is about 6.3.
func StandardNormal(word uint32) float32 {
	return float32(numeric.NormalQuantile((float64(word) + 0.5) * 0x1p-32))
}
