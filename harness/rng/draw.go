package rng

import "fmt"

// Uniform returns lo + (hi-lo)*u with u = Unit(word 0). The difference, the product
// and the sum are each rounded to float32. The result is at least lo and, because u <=
// 1 - 2^-24, at most hi; rounding may make it equal to hi.
func (s Stream) Uniform(at At, lo, hi float32) float32 {
	return lo + float32(float32(hi-lo)*Unit(s.Uint32(at)))
}

// Float64 returns a multiple of 2^-53 in [0, 1). Word 0 is the high and word 1 the low
// half; the last 11 bits are dropped.
func (s Stream) Float64(at At) float64 {
	a, b, _, _ := philox(at.Unit, at.Row, at.T, at.Update, s.k0, s.k1)
	return unit64(a, b)
}

func unit64(high, low uint32) float64 {
	return float64((uint64(high)<<32|uint64(low))>>11) * 0x1p-53
}

// Normal returns StandardNormal of word 0.
func (s Stream) Normal(at At) float32 { return StandardNormal(s.Uint32(at)) }

// Bernoulli reports whether word 0 * 2^-32 < p, which is true with probability p. The
// comparison is in float64, where both sides are exact, so the actual probability is p
// rounded up to a multiple of 2^-32. With p = 0 the result is always false, with p = 1
// always true.
func (s Stream) Bernoulli(at At, p float64) bool {
	return float64(s.Uint32(at))*0x1p-32 < p
}

// IntN returns an integer in [0, n), with exactly equal probabilities. If it
// rejects a word, it goes on to the next attempt by adding 1 to counter word T. So
// at.T must be zero, and a stream that uses IntN must not use T for anything else.
// IntN panics if at.T is not zero or n is zero.
func (s Stream) IntN(at At, n uint32) uint32 {
	if at.T != 0 {
		panic(fmt.Sprintf("rng: counter word T is %d, want 0: IntN uses it for the attempt", at.T))
	}
	if n == 0 {
		panic("rng: IntN below 0, want n of at least 1")
	}
	for ; ; at.T++ {
		if v, ok := below(s.Uint32(at), n); ok {
			return v
		}
	}
}

// below maps a random word to [0, n): the high half of word*n. Each value must come from
// exactly floor(2^32/n) words, so the function rejects the surplus words, for which the low
// half of word*n is less than 2^32 mod n.
func below(word, n uint32) (v uint32, ok bool) {
	p := uint64(word) * uint64(n)
	if low := uint32(p); low < n && low < -n%n {
		return 0, false
	}
	return uint32(p >> 32), true
}
