package verdict

import (
	"math/bits"

	"pushdown/harness/golden"
)

// splitMix returns output number i of the SplitMix64 generator with the given
// seed. Being a function of i it needs no state: every draw of a bootstrap has
// its own numbers, whatever else is drawn.
//
// Reference: Steele, Lea, Flood, Fast Splittable Pseudorandom Number
// Generators, OOPSLA 2014; constants of the variant by Vigna.
func splitMix(seed, i uint64) uint64 {
	z := seed + (i+1)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// A resampler draws seeds with replacement, for one group. Two units of a
// group see the same seeds in the same draw.
type resampler struct{ seed uint64 }

// newResampler derives the stream of a group from its name (FNV-1a), so that
// a claim is decided alike whatever other rows exist.
func newResampler(group golden.Name) resampler {
	h := uint64(0xcbf29ce484222325)
	for i := range len(group) {
		h = (h ^ uint64(group[i])) * 0x100000001b3
	}
	return resampler{h}
}

// pick returns the i-th of the indices below n that a draw consists of.
func (r resampler) pick(draw, i, n int) int {
	hi, _ := bits.Mul64(splitMix(r.seed, uint64(draw)<<20|uint64(i)), uint64(n))
	return int(hi)
}
