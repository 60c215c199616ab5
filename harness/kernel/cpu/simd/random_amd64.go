//go:build amd64 && !purego

package simd

import "math/bits"

//go:generate sh -c "cd _asm && go run ./random -out ../random_amd64.s"

//go:noescape
func dropoutAVX2(dst, x *float32, n int, site *Site)

//go:noescape
func dropoutAVX512(dst, x *float32, n int, site *Site)

//go:noescape
func wordsAVX2(dst *uint32, n, first int, site *Site)

//go:noescape
func wordsAVX512(dst *uint32, n, first int, site *Site)

//go:noescape
func noiseAVX2(dst, x *float32, words *uint32, n int, mean, sd float32, tails *uint8)

//go:noescape
func noiseAVX512(dst, x *float32, words *uint32, n int, mean, sd float32, tails *uint8)

func randomFor(isa ISA) randomTable {
	switch isa {
	case AVX2:
		return randomTable{Dropout: dropoutAVX2, Noise: noiseBy(wordsAVX2, noiseAVX2)}
	case AVX512:
		return randomTable{Dropout: dropoutAVX512, Noise: noiseBy(wordsAVX512, noiseAVX512)}
	}
	return randomGeneric
}

// noiseBy returns the routine Noise that draws random words with one kernel and adds the noise
// with another, which leaves out the elements in the tails of the distribution.
func noiseBy(words func(dst *uint32, n, first int, site *Site), noise func(dst, x *float32, words *uint32, n int, mean, sd float32, tails *uint8)) func(dst, x *float32, n int, site *Site) {
	return func(dst, x *float32, n int, site *Site) {
		for c := 0; c < n; c += len(site.words) {
			m := min(len(site.words), n-c)
			words(&site.words[0], m, c/4, site)
			noise(At(dst, c), At(x, c), &site.words[0], m, site.Mean, site.SD, &site.tails[0])
			for i, t := range site.tails[:(m+7)/8] {
				for ; t != 0; t &= t - 1 {
					j := 8*i + bits.TrailingZeros8(t)
					*At(dst, c+j) = site.noise(*At(x, c+j), site.words[j])
				}
			}
		}
	}
}
