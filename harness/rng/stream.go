package rng

import (
	"crypto/sha256"
	"encoding/binary"
)

// Stream is a named family of random numbers, represented by a Philox key. It has no
// state, so it can be copied, compared and shared between goroutines. The zero Stream
// is valid, but streams should come from New.
type Stream struct {
	k0, k1 uint32
}

// New returns the stream of a seed and a name, for example
// New(1, "init/W_proj"). Names are part of the numeric contract: renaming a
// stream changes every number drawn from it.
func New(seed uint64, name string) Stream {
	h := sha256.Sum256(append(binary.LittleEndian.AppendUint64(nil, seed), name...))
	return Stream{binary.LittleEndian.Uint32(h[0:]), binary.LittleEndian.Uint32(h[4:])}
}

// At is a coordinate of a stream: the four words of the Philox counter, named by their
// meaning. A word that a stream does not use is zero.
type At struct {
	Unit   uint32 // unit, element or number of the draw
	Row    uint32 // row of a tensor or index of a string
	T      uint32 // time step or attempt
	Update uint32 // update or epoch
}

// Block returns the four words at a coordinate: Philox4x32-10 of the coordinate.
func (s Stream) Block(at At) [4]uint32 {
	a, b, c, d := philox(at.Unit, at.Row, at.T, at.Update, s.k0, s.k1)
	return [4]uint32{a, b, c, d}
}

// Uint32 returns 32 random bits: word 0 of the Block at the coordinate.
func (s Stream) Uint32(at At) uint32 {
	a, _, _, _ := philox(at.Unit, at.Row, at.T, at.Update, s.k0, s.k1)
	return a
}
