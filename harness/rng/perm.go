package rng

import "fmt"

// Perm fills dst with a uniformly random permutation of 0 .. len(dst)-1. The
// permutation is a function of the stream, the update (or epoch) and the length.
// The algorithm is the inside-out form of Fisher-Yates:
//
//	for i := range dst {
//		j := uniform in [0, i]
//		dst[i] = dst[j]
//		dst[j] = i
//	}
//
// Entry i uses word i%4 of the block at {Unit: i/4, T: attempt, Update: update}. An entry
// needs a second attempt with a probability below len(dst)/2^32. Perm panics if len(dst) is
// above 2^31, the limit of int32.
func (s Stream) Perm(dst []int32, update uint32) {
	if uint64(len(dst)) > 1<<31 {
		panic(fmt.Sprintf("rng: permutation of %d entries, want at most 2^31", len(dst)))
	}
	n := len(dst)
	for base := 0; base < n; base += 4 {
		a, b, c, d := philox(uint32(base)/4, 0, 0, update, s.k0, s.k1)
		words := [4]uint32{a, b, c, d}
		for l, w := range words {
			i := base + l
			if i >= n {
				return
			}
			j, ok := below(w, uint32(i)+1)
			if !ok {
				j = s.permRetry(uint32(i), update)
			}
			dst[i] = dst[j]
			dst[j] = int32(i)
		}
	}
}

// permRetry returns j for entry i, drawn by the second attempt or a later one.
func (s Stream) permRetry(i, update uint32) uint32 {
	for t := uint32(1); ; t++ {
		b := s.Block(At{Unit: i / 4, T: t, Update: update})
		if j, ok := below(b[i%4], i+1); ok {
			return j
		}
	}
}
