package ptxemu

import (
	"fmt"
	"math/bits"
)

// place returns the words that a load or store accesses in one thread, and the records
// of the last accesses to these words.
func (w *warp) place(m *Machine, in *instr, lane int) (words []uint32, shadow []word32) {
	at := w.registers[in.a][lane]
	if in.space == 's' && in.narrow {
		at = uint64(uint32(at) + uint32(in.off))
	} else {
		at += in.off
	}
	bytes := uint64(in.width * in.types[0].size())
	if at%bytes != 0 {
		w.fault(m, in, 1<<lane, fmt.Sprintf("address %#x is not aligned to %d bytes", at, bytes))
	}
	n := bytes / 4
	if in.space == 's' {
		end := uint64(m.k.sharedBytes)
		if at >= end || at+bytes > end || !m.owned[at/4] || !m.owned[at/4+n-1] {
			w.fault(m, in, 1<<lane, fmt.Sprintf("%d bytes at address %#x of shared memory lie in no variable", bytes, at))
		}
		i := at / 4
		return m.shared[i : i+n], m.shadow[i : i+n]
	}
	r := m.global.find(at, bytes)
	if r == nil {
		w.fault(m, in, 1<<lane, fmt.Sprintf("%d bytes at address %#x of global memory lie in nothing reserved", bytes, at))
	}
	i := (at - r.at) / 4
	return r.words[i : i+n], r.shadow[i : i+n]
}

func (w *warp) load(m *Machine, in *instr, on uint32) {
	double := in.types[0].size() == 8
	for rest := on; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		words, shadow := w.place(m, in, lane)
		for i := range shadow {
			if what := m.touchLoad(&shadow[i], uint16(w.number*warpSize+lane)); what != "" {
				w.fault(m, in, 1<<lane, what)
			}
		}
		for i, r := range in.list {
			var v uint64
			switch {
			case double:
				v = uint64(words[2*i]) | uint64(words[2*i+1])<<32
			case in.signed && in.wide:
				v = extend(uint64(words[i]))
			default:
				v = uint64(words[i])
			}
			w.registers[r][lane] = v
		}
	}
	for _, r := range in.list {
		w.filled[r] |= on
	}
}

func (w *warp) store(m *Machine, in *instr, on uint32) {
	double := in.types[0].size() == 8
	for _, r := range in.list {
		if w.filled[r]&on != on {
			w.fault(m, in, on&^w.filled[r], "stores a register that nothing set")
		}
	}
	for rest := on; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		words, shadow := w.place(m, in, lane)
		for i := range shadow {
			if what := m.touchStore(&shadow[i], uint16(w.number*warpSize+lane)); what != "" {
				w.fault(m, in, 1<<lane, what)
			}
		}
		for i, r := range in.list {
			v := w.registers[r][lane]
			if double {
				words[2*i], words[2*i+1] = uint32(v), uint32(v>>32)
			} else {
				words[i] = uint32(v)
			}
		}
	}
}
