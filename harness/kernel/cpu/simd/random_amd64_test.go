//go:build amd64 && !purego

package simd

import (
	"math"
	"testing"
	"unsafe"

	"pushdown/harness/rng"
)

// TestNoiseOfChosenWords checks words at the bounds of the centre of the distribution and at the
// ends of the range, then random ones. With a standard deviation of 1, and added to -0, the
// noise is the standard normal number itself.
func TestNoiseOfChosenWords(t *testing.T) {
	list := []uint32{0, 1, 1<<31 - 1, 1 << 31, math.MaxUint32 - 1, math.MaxUint32}
	for _, bound := range []float64{0.5 - 0.425, 0.5, 0.5 + 0.425} {
		for d := range 21 {
			list = append(list, uint32(int64(bound*0x1p32)+int64(d)-10))
		}
	}
	r := newRand(1, 2)
	for range 1 << 20 {
		list = append(list, r.Uint32())
	}
	eachISA(t, func(t *testing.T, isa ISA) {
		if isa == Generic {
			return
		}
		left := list
		chosen := func(dst *uint32, n, _ int, _ *Site) {
			copy(unsafe.Slice(dst, n), left)
			left = left[n:]
		}
		noise := noiseAVX2
		if isa == AVX512 {
			noise = noiseAVX512
		}
		dst := make([]float32, len(list))
		for i := range dst {
			dst[i] = float32(math.Copysign(0, -1))
		}
		noiseBy(chosen, noise)(&dst[0], &dst[0], len(dst), &Site{SD: 1})
		for i, word := range list {
			if want := rng.StandardNormal(word); math.Float32bits(dst[i]) != math.Float32bits(want) {
				t.Fatalf("word %#x: have %v, want %v", word, dst[i], want)
			}
		}
	})
}
