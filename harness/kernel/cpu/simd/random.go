package simd

import (
	"math"

	"pushdown/harness/kernel"
)

// randomTable holds the random routines of one instruction set.
type randomTable struct {
	// Dropout drops elements of a row.
	//
	//	word := rng.FromKey(site.Keys[0]).Block(rng.At{j/4, site.Row, site.T, site.Update})[j%4]
	//	if word >= site.Least { dst[j] = x[j] * site.Keep } else { dst[j] = 0 }
	//
	// dst may be x.
	Dropout func(dst, x *float32, n int, site *Site)

	// Noise adds normal noise to a row, with the random word of Dropout.
	//
	//	dst[j] = x[j] + (site.Mean + float32(site.SD*rng.StandardNormal(word)))
	//
	// dst may be x.
	Noise func(dst, x *float32, n int, site *Site)
}

// Site holds the parameters of a random operation that all elements of a row share. The
// assembly depends on the order of the fields.
type Site struct {
	Keys           [10][2]uint32 // the key of each round of Philox; the first is the stream's
	Row, T, Update uint32
	Least          uint32 // for Dropout: an element is dropped if its random word is less than Least
	Keep           float32
	Mean, SD       float32 // for Noise

	// Scratch of Noise: the random words of some columns, and a bit for each column that says
	// whether its number is in the tails of the distribution.
	words [32]uint32
	tails [4]uint8
}

// The increments of the key from round to round, as in package rng.
const (
	weyl0 = 0x9E3779B9
	weyl1 = 0xBB67AE85
)

// Drop sets the parameters that all rows of a dropout share. Dropout keeps an element if the
// upper 24 bits of its random word, as an integer, are at least rate * 2^24. Drop rounds this
// bound up to an integer and stores it in the upper 24 bits of Least. The rate must be below 1.
func (s *Site) Drop(in *kernel.Instr) {
	rate := in.F[0]
	s.Keep = float32(1 / (1 - float64(rate)))
	s.Least = uint32(max(0, math.Ceil(float64(rate)*(1<<24)))) << 8
	s.begin(in)
}

// Disturb sets the parameters that all rows of a noise share.
func (s *Site) Disturb(in *kernel.Instr) {
	s.Mean, s.SD = in.F[0], in.F[1]
	s.begin(in)
}

func (s *Site) begin(in *kernel.Instr) {
	key := [2]uint32{uint32(in.I[0]), uint32(in.I[1])}
	for i := range s.Keys {
		s.Keys[i] = key
		key[0], key[1] = key[0]+weyl0, key[1]+weyl1
	}
}

// At sets the coordinates of a row: string, time and update.
func (s *Site) At(coord []int32) {
	s.Row, s.T, s.Update = uint32(coord[0]), uint32(coord[1]), uint32(coord[2])
}
