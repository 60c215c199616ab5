package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// strides loads row distances and converts them from elements to bytes.
func strides(names ...string) []reg.Register {
	var list []reg.Register
	for _, n := range names {
		r := Load(Param(n), GP64())
		SHLQ(U8(2), r)
		list = append(list, r)
	}
	return list
}

// step generates
//
//	t := pop[c] * down             // VMULPS
//	t = FMA(push[c], up, t)        // VFMADD231PS
//	t = FMA(noop[c], s[r][c], t)   // VFMADD231PS, unless noop is nil
//
// The rows of a block of columns are handled in three runs: the first cell, with v above it;
// the cells with a cell on each side; and the last cell, with the value of the parameter empty
// below it. A stack of one cell is a run of its own.
func step(s lane.Set) {
	TEXT("stackStep"+s.Name, NOSPLIT, "func(dst, s, push, pop, noop, v *float32, D, p, C, ldd, lds, ldv int, empty float32)")
	rem, off := Load(Param("C"), GP64()), GP64()
	ld := strides("ldd", "lds", "ldv")
	ldd, lds, ldv := ld[0], ld[1], ld[2]
	cell := Load(Param("p"), GP64()) // bytes from a row of s to the row one cell below
	IMULQ(lds, cell)
	s.Blocks(rem, off, []int{s.N / 4}, func(u int, m *lane.Mask) {
		pop, push := s.Vecs(u), s.Vecs(u)
		load := func(name string, to []reg.VecVirtual) {
			p := Load(Param(name), GP64())
			for i := range to {
				s.Load(Mem{Base: p, Index: off, Scale: 1, Disp: i * s.Bytes()}, to[i], m)
			}
		}
		load("pop", pop)
		load("push", push)
		bottom := s.Vecs(u) // pop[c] * empty
		for i := range bottom {
			empty, _ := Param("empty").Resolve()
			VBROADCASTSS(empty.Addr, bottom[i])
			VMULPS(bottom[i], pop[i], bottom[i])
		}
		without, next := lane.Fresh("without"), lane.Fresh("next")
		noop := s.Vecs(u)
		p := Load(Param("noop"), GP64())
		TESTQ(p, p)
		JZ(LabelRef(without))
		load("noop", noop)
		stepRows(s, u, m, off, ldd, lds, ldv, cell, pop, push, noop, bottom)
		JMP(LabelRef(next))
		Label(without)
		stepRows(s, u, m, off, ldd, lds, ldv, cell, pop, push, nil, bottom)
		Label(next)
	})
	VZEROUPPER()
	RET()
}

func stepRows(s lane.Set, u int, m *lane.Mask, off, ldd, lds, ldv, cell reg.Register, pop, push, noop, bottom []reg.VecVirtual) {
	pointer := func(name string) reg.Register {
		p := Load(Param(name), GP64())
		ADDQ(off, p)
		return p
	}
	dst, x, v := pointer("dst"), pointer("s"), pointer("v")
	rows, depth := Load(Param("p"), GP64()), Load(Param("D"), GP64())
	// run emits the loop over a run of rows, whose operands are at up, here and down.
	run := func(up, here, down Mem, last bool, moves ...lane.Move) {
		lane.Loop(rows, func() {
			for i := range u {
				t := s.Vec()
				d := i * s.Bytes()
				if last {
					VMOVAPS(bottom[i], t)
				} else {
					VMULPS(s.Source(down.Offset(d), m), pop[i], t)
				}
				VFMADD231PS(s.Source(up.Offset(d), m), push[i], t)
				if noop != nil {
					VFMADD231PS(s.Source(here.Offset(d), m), noop[i], t)
				}
				s.Store(t, Mem{Base: dst, Disp: d}, m)
			}
		}, append(moves, lane.Move{Pointer: dst, By: ldd}, lane.Move{Pointer: x, By: lds})...)
	}
	at := func(cells uint8) Mem {
		if cells == 0 {
			return Mem{Base: x}
		}
		return Mem{Base: x, Index: cell, Scale: cells}
	}
	single, last, done := lane.Fresh("single"), lane.Fresh("last"), lane.Fresh("done")
	wide := lane.Fresh("wide")
	CMPQ(rows, Imm(1))
	JNE(LabelRef(wide))
	stepNumbers(s, u, m, dst, x, v, depth, ldd, lds, pop, push, noop, bottom)
	JMP(LabelRef(done))
	Label(wide)
	CMPQ(rows, depth)
	JE(LabelRef(single))
	// In the first cell, x points to the current row.
	run(Mem{Base: v}, at(0), at(1), false, lane.Move{Pointer: v, By: ldv})
	// From here on, x points to the row one cell above the current row.
	SUBQ(cell, x)
	Load(Param("p"), rows)
	SUBQ(rows, depth)
	SUBQ(rows, depth)
	JZ(LabelRef(last))
	XCHGQ(rows, depth)
	run(at(0), at(1), at(2), false)
	MOVQ(depth, rows)
	Label(last)
	run(at(0), at(1), Mem{}, true)
	JMP(LabelRef(done))
	Label(single)
	run(Mem{Base: v}, at(0), Mem{}, true, lane.Move{Pointer: v, By: ldv})
	Label(done)
}

// stepNumbers emits the loop for cells of one row. Each row of s is loaded once; it
// serves first as the row below, then as the current row, then as the row above.
func stepNumbers(s lane.Set, u int, m *lane.Mask, dst, x, v, depth, ldd, lds reg.Register, pop, push, noop, bottom []reg.VecVirtual) {
	up, here := s.Vecs(u), s.Vecs(u)
	for i := range u {
		s.Load(Mem{Base: v, Disp: i * s.Bytes()}, up[i], m)
		s.Load(Mem{Base: x, Disp: i * s.Bytes()}, here[i], m)
	}
	finish := func(i int, t reg.VecVirtual) {
		VFMADD231PS(up[i], push[i], t)
		if noop != nil {
			VFMADD231PS(here[i], noop[i], t)
		}
		s.Store(t, Mem{Base: dst, Disp: i * s.Bytes()}, m)
	}
	last := lane.Fresh("last")
	DECQ(depth)
	JZ(LabelRef(last))
	ADDQ(lds, x)
	lane.Loop(depth, func() {
		for i := range u {
			down, t := s.Vec(), s.Vec()
			s.Load(Mem{Base: x, Disp: i * s.Bytes()}, down, m)
			VMULPS(down, pop[i], t)
			finish(i, t)
			VMOVAPS(here[i], up[i])
			VMOVAPS(down, here[i])
		}
	}, lane.Move{Pointer: dst, By: ldd}, lane.Move{Pointer: x, By: lds})
	Label(last)
	for i := range u {
		finish(i, bottom[i])
	}
}
