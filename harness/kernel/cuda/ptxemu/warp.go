package ptxemu

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// part is a set of threads of a warp with the same program counter.
type part struct {
	pc   int
	mask uint32
}

// warp is a group of up to 32 threads.
type warp struct {
	k          *Kernel
	number     int    // index in the block
	all        uint32 // mask of its threads
	registers  []lanes
	predicates []uint32 // by predicate: mask of the threads in which it is true
	filled     []uint32 // by register or predicate: mask of the threads that have set it
	parts      []part   // threads that can run; no part is empty
	parked     []part   // threads that wait at a barrier
	scratch    lanes
}

func newWarp(k *Kernel, number int) *warp {
	w := &warp{k: k, number: number, registers: make([]lanes, k.registers), predicates: make([]uint32, k.registers), filled: make([]uint32, k.registers)}
	for _, c := range k.constants {
		for i := range w.registers[c.register] {
			w.registers[c.register][i] = c.value
		}
	}
	return w
}

// setThreads sets the special registers that are the same in all blocks: %tid and
// %ntid.
func (w *warp) setThreads(m *Machine) {
	for s, used := range w.k.specials {
		if !used || s >= 6 {
			continue
		}
		r := &w.registers[1+s]
		for i := range r {
			if s < 3 {
				r[i] = uint64(w.thread(m, i)[s])
			} else {
				r[i] = uint64(m.ntid[s-3])
			}
		}
	}
}

// thread returns the position of a thread in its block, along the three axes. The
// parameter lane is the number of the thread in the warp.
func (w *warp) thread(m *Machine, lane int) [3]uint32 {
	n := uint32(w.number*warpSize + lane)
	return [3]uint32{n % m.ntid[0], n / m.ntid[0] % m.ntid[1], n / m.ntid[0] / m.ntid[1]}
}

// begin resets the warp for the start of a block and sets %ctaid and %nctaid.
func (w *warp) begin(m *Machine) {
	clear(w.filled)
	for i := range 1 + len(specials) {
		w.filled[i] = math.MaxUint32
	}
	for _, c := range w.k.constants {
		w.filled[c.register] = math.MaxUint32
	}
	for s, used := range w.k.specials {
		if !used || s < 6 {
			continue
		}
		v := m.nctaid
		if s < 9 {
			v = m.ctaid
		}
		r := &w.registers[1+s]
		for i := range r {
			r[i] = uint64(v[s%3])
		}
	}
	w.parts = append(w.parts[:0], part{0, w.all})
	w.parked = w.parked[:0]
}

// waits reports whether threads of the warp wait at a barrier.
func (w *warp) waits() bool { return len(w.parked) > 0 }

// fault ends the launch with a fault of the first thread in mask.
func (w *warp) fault(m *Machine, in *instr, mask uint32, what string) {
	panic(&Fault{Kernel: w.k.Name, Block: m.ctaid, Thread: w.thread(m, bits.TrailingZeros32(mask)), Line: in.line, Instruction: in.text, What: what})
}

// pick removes the threads with the lowest program counter from w.parts and returns them
// as one part, p. rest is the lowest program counter of the threads that stay in
// w.parts.
func (w *warp) pick() (p part, rest int) {
	p.pc, rest = math.MaxInt, math.MaxInt
	for _, q := range w.parts {
		p.pc = min(p.pc, q.pc)
	}
	n := 0
	for _, q := range w.parts {
		if q.pc == p.pc {
			p.mask |= q.mask
			continue
		}
		rest = min(rest, q.pc)
		w.parts[n] = q
		n++
	}
	w.parts = w.parts[:n]
	return p, rest
}

// run runs the warp until each of its threads waits at a barrier or has left the
// kernel.
func (w *warp) run(m *Machine) {
	for len(w.parts) > 0 {
		p, rest := w.pick()
		w.follow(m, p, rest)
	}
}

// follow runs the threads of p until they wait at a barrier, leave the kernel, diverge,
// or reach the program counter rest, where other threads of the warp wait to run.
func (w *warp) follow(m *Machine, p part, rest int) {
	code := w.k.code
	pc, mask := p.pc, p.mask
	active := int64(bits.OnesCount32(mask))
	for pc < rest {
		in := &code[pc]
		pc++
		if m.Steps += active; m.Steps > m.end {
			w.fault(m, in, mask, fmt.Sprintf("is still running after %d instructions", m.Steps-m.begin))
		}
		on := mask
		if in.guard >= 0 {
			if w.filled[in.guard]&mask != mask {
				w.fault(m, in, mask&^w.filled[in.guard], "reads a predicate that nothing set")
			}
			if in.negated {
				on &= ^w.predicates[in.guard]
			} else {
				on &= w.predicates[in.guard]
			}
			if on == 0 {
				continue
			}
		}
		if f := w.filled; f[in.a]&f[in.b]&f[in.c]&on != on {
			w.fault(m, in, on&^(f[in.a]&f[in.b]&f[in.c]), "reads a register that nothing set")
		}
		switch in.kind {
		case divide:
			for i, v := range &w.registers[in.b] {
				if v == 0 && on>>i&1 != 0 {
					w.fault(m, in, 1<<i, "divides by zero")
				}
			}
			fallthrough
		case compute:
			r := w.registers
			if on == w.all { // lanes outside w.all may be overwritten
				in.fn(&r[in.d], &r[in.a], &r[in.b], &r[in.c])
			} else {
				in.fn(&w.scratch, &r[in.a], &r[in.b], &r[in.c])
				blend(&r[in.d], &w.scratch, on)
			}
			w.filled[in.d] |= on
		case compare:
			v := in.test(&w.registers[in.a], &w.registers[in.b])
			w.predicates[in.d] = w.predicates[in.d]&^on | v&on
			w.filled[in.d] |= on
		case choose:
			t := w.predicates[in.c]
			w.scratch = w.registers[in.b]
			blend(&w.scratch, &w.registers[in.a], t&on)
			blend(&w.registers[in.d], &w.scratch, on)
			w.filled[in.d] |= on
		case logic:
			v := in.join(w.predicates[in.a], w.predicates[in.b])
			w.predicates[in.d] = w.predicates[in.d]&^on | v&on
			w.filled[in.d] |= on
		case loadParam:
			w.loadParam(m, in, on)
		case load:
			w.load(m, in, on)
		case store:
			w.store(m, in, on)
		case branch:
			if on == mask {
				pc = in.to
				continue
			}
			if in.uniform {
				w.fault(m, in, on, "bra.uni diverges: some threads take the branch and some do not")
			}
			w.parts = append(w.parts, part{pc, mask &^ on}, part{in.to, on})
			return
		case barrier:
			w.parked = append(w.parked, part{pc - 1, on})
			return
		case leave:
			if on != mask {
				w.parts = append(w.parts, part{pc, mask &^ on})
			}
			return
		}
	}
	w.parts = append(w.parts, part{pc, mask})
}

// blend copies from x to d the values of those threads whose bits are set in the mask.
func blend(d, x *lanes, on uint32) {
	if on == math.MaxUint32 {
		*d = *x
		return
	}
	for ; on != 0; on &= on - 1 {
		i := bits.TrailingZeros32(on) & 31
		d[i] = x[i]
	}
}

func (w *warp) loadParam(m *Machine, in *instr, on uint32) {
	v := uint64(binary.LittleEndian.Uint32(m.params[in.off:]))
	if in.types[0].size() == 8 {
		v = binary.LittleEndian.Uint64(m.params[in.off:])
	} else if in.signed && in.wide {
		v = extend(v)
	}
	for i := range w.scratch {
		w.scratch[i] = v
	}
	blend(&w.registers[in.list[0]], &w.scratch, on)
	w.filled[in.list[0]] |= on
}
