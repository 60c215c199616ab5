package kerneltest

import (
	"testing"

	"pushdown/harness/kernel"
	"pushdown/harness/rng"
)

// testBoundary sets the rate of a dropout to exactly the random number of one element,
// which must be kept. At the next higher rate the element must be dropped.
func testBoundary(t *testing.T, dev kernel.Device) {
	const col = 6
	key := [2]uint32{0x9e3779b9, 0x7f4a7c15}
	coord := []int32{3, 4, 5}
	word := rng.FromKey(key).Block(rng.At{Unit: col / 4, Row: 3, T: 4, Update: 5})[col%4]
	rate := rng.Unit(word)
	for _, c := range []struct {
		rate float32
		kept bool
	}{{rate, true}, {rate + 0x1p-24, false}} {
		a := newArena(t, dev, 64)
		ones := make([]float32, col+1)
		for i := range ones {
			ones[i] = 1
		}
		a.Write(0, ones)
		a.WriteInts(16, coord)
		fixed := func(off, ld int) kernel.Arg { return kernel.Arg{Slot: kernel.FixedSlot, Off: off, LD: ld} }
		code, err := a.Compile([]kernel.Instr{{Op: kernel.Dropout, M: 1, W: col + 1, I: [3]int{int(key[0]), int(key[1])}, F: [2]float32{c.rate},
			Args: []kernel.Arg{fixed(32, col+1), fixed(0, col+1), fixed(16, 3)}}})
		if err != nil {
			t.Fatal(err)
		}
		a.Run(code, make([]kernel.Frame, 1))
		var got [1]float32
		if a.Read(32+col, got[:]); got[0] != 0 != c.kept {
			t.Errorf("an element that draws %v at rate %v: have %v, want it kept: %v", rate, c.rate, got[0], c.kept)
		}
	}
}
