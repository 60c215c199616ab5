package verdict

import (
	"hash/fnv"
	"math/bits"

	"pushdown/harness/golden"
)

// splitMix returns output number i of the SplitMix64 generator with the given seed. It
// needs no state, so the numbers of a bootstrap draw do not depend on other draws.
//
// Reference: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA
// 2014; the constants are those of Vigna's variant.
func splitMix(seed, i uint64) uint64 {
	z := seed + (i+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// A resampler draws seeds of one group with replacement. A draw has the same seeds for
// all units of the group.
type resampler struct{ seed uint64 }

// newResampler derives the random numbers of a group from the FNV-1a hash of its
// name, so that the outcome of a claim does not depend on the rows of other groups.
func newResampler(group golden.Name) resampler {
	h := fnv.New64a()
	h.Write([]byte(group))
	return resampler{h.Sum64()}
}

// pick returns the random index, from 0 to n-1, of the i-th seed of a draw.
func (r resampler) pick(draw, i, n int) int {
	hi, _ := bits.Mul64(splitMix(r.seed, uint64(draw)<<20|uint64(i)), uint64(n))
	return int(hi)
}
