package simd

import "pushdown/harness/rng"

var randomGeneric = randomTable{Dropout: dropoutGeneric, Noise: noiseGeneric}

func dropoutGeneric(dst, x *float32, n int, site *Site) {
	stream := rng.FromKey(site.Keys[0])
	d := Line(dst, 0, 0, n)
	var block [4]uint32
	for j, v := range Line(x, 0, 0, n) {
		if j%4 == 0 {
			block = stream.Block(rng.At{Unit: uint32(j / 4), Row: site.Row, T: site.T, Update: site.Update})
		}
		if block[j%4] >= site.Least {
			d[j] = v * site.Keep
		} else {
			d[j] = 0
		}
	}
}

func noiseGeneric(dst, x *float32, n int, site *Site) {
	stream := rng.FromKey(site.Keys[0])
	d := Line(dst, 0, 0, n)
	var block [4]uint32
	for j, v := range Line(x, 0, 0, n) {
		if j%4 == 0 {
			block = stream.Block(rng.At{Unit: uint32(j / 4), Row: site.Row, T: site.T, Update: site.Update})
		}
		d[j] = site.noise(v, block[j%4])
	}
}

// noise returns x with the noise of a random word.
func (s *Site) noise(x float32, word uint32) float32 {
	return x + (s.Mean + float32(s.SD*rng.StandardNormal(word)))
}
