package rng

import "testing"

// TestPhiloxMatchesPublishedVectors uses the vectors for philox4x32 with 10 rounds in
// Random123's tests/kat_vectors: all bits 0, all bits 1, and the first digits of pi.
func TestPhiloxMatchesPublishedVectors(t *testing.T) {
	for _, v := range []struct {
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{[4]uint32{}, [2]uint32{},
			[4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, [2]uint32{0xffffffff, 0xffffffff},
			[4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0},
			[4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		s := Stream{v.key[0], v.key[1]}
		at := At{Unit: v.counter[0], Row: v.counter[1], T: v.counter[2], Update: v.counter[3]}
		if got := s.Block(at); got != v.want {
			t.Errorf("counter %08x key %08x: got %08x, want %08x", v.counter, v.key, got, v.want)
		}
		if got := s.Uint32(at); got != v.want[0] {
			t.Errorf("Uint32 at counter %08x: got %08x, want word 0 of the block, %08x", v.counter, got, v.want[0])
		}
	}
}

// TestKeyIsSHA256OfSeedAndName compares keys with digests computed with sha256sum: of 8
// zero bytes, and of the bytes 01 00 00 00 00 00 00 00 followed by "a".
func TestKeyIsSHA256OfSeedAndName(t *testing.T) {
	for _, v := range []struct {
		seed uint64
		name string
		want Stream
	}{
		{0, "", Stream{0xf57055af, 0x7a0b81a1}},
		{1, "a", Stream{0xc82161ae, 0xf655a58b}},
	} {
		if got := New(v.seed, v.name); got != v.want {
			t.Errorf("New(%d, %q): key %08x, want %08x", v.seed, v.name, got, v.want)
		}
	}
}
