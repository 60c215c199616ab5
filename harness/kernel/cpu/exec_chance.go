package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/rng"
)

// execDropout scales what it keeps by 1/(1-rate), rounded once.
func execDropout(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	keep := float32(1 / (1 - float64(in.F[0])))
	a.chance(in, f, t, func(x float32, word uint32) float32 {
		if rng.Unit(word) >= in.F[0] {
			return x * keep
		}
		return 0
	})
}

func execNoise(a *arena, in *kernel.Instr, f *kernel.Frame, t tile) {
	a.chance(in, f, t, func(x float32, word uint32) float32 {
		return x + (in.F[0] + float32(in.F[1]*rng.StandardNormal(word)))
	})
}

// chance gives each element the word of its coordinates: column j of a row
// takes word j%4 of the block with unit j/4.
func (a *arena) chance(in *kernel.Instr, f *kernel.Frame, t tile, draw func(x float32, word uint32) float32) {
	rows, cols := t.size()
	d, ldd := a.place(in, f, 0, t)
	x, ldx := a.place(in, f, 1, t)
	c, ldc := a.place(in, f, 2, t)
	stream := rng.FromKey([2]uint32{uint32(in.I[0]), uint32(in.I[1])})
	for r := range rows {
		coord := unsafe.Slice(i32(at(c, r*ldc)), 3)
		dst, src := unsafe.Slice(at(d, r*ldd), cols), unsafe.Slice(at(x, r*ldx), cols)
		var block [4]uint32
		for j, v := range src {
			if j%4 == 0 {
				block = stream.Block(rng.At{Unit: uint32(j / 4), Row: uint32(coord[0]), T: uint32(coord[1]), Update: uint32(coord[2])})
			}
			dst[j] = draw(v, block[j%4])
		}
	}
}
