package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/asm/lane"
)

// move is a kernel that goes through the rows of a matrix.
type move struct {
	name, signature string
	// from is the source and its row distance.
	from, ld string
	// with is a vector along the row, one number for each row or, for gather,
	// the row to take; empty for none.
	with string
	kind int
}

const (
	alone   = iota
	along   // with[j]
	perRow  // with[r]
	chooses // row with[r] of from
)

var moves = []move{
	{"copyRows", "func(dst, x *float32, rows, n, ldd, ldx int)", "x", "ldx", "", alone},
	{"addRow", "func(dst, x, row *float32, rows, n, ldd, ldx int)", "x", "ldx", "row", along},
	{"mulRow", "func(dst, x, row *float32, rows, n, ldd, ldx int)", "x", "ldx", "row", along},
	{"rowsBy", "func(dst, x, w *float32, rows, n, ldd, ldx int)", "x", "ldx", "w", perRow},
	{"gatherRows", "func(dst, table *float32, ids *int32, rows, n, ldd, ldt int)", "table", "ldt", "ids", chooses},
}

// write goes through each row by four vectors, by one, and by what is left.
func (k move) write(s lane.Set) {
	TEXT(k.name+s.Name, NOSPLIT, k.signature)
	dst, x, rows := arg("dst"), arg(k.from), arg("rows")
	ldd, ldx, n := stride("ldd"), stride(k.ld), arg("n")
	done := lane.Fresh("done")
	TESTQ(rows, rows)
	JLE(LabelRef(done))
	TESTQ(n, n)
	JLE(LabelRef(done))
	var with, four reg.Register
	if k.kind != alone {
		with = arg(k.with)
		four = GP64()
		MOVQ(U32(4), four)
	}
	rest := GP64()
	MOVQ(n, rest)
	ANDQ(U32(s.N-1), rest)
	m := s.First(rest)
	moves := []lane.Move{{Pointer: dst, By: ldd}}
	if k.kind != chooses {
		moves = append(moves, lane.Move{Pointer: x, By: ldx})
	}
	if k.kind == perRow || k.kind == chooses {
		moves = append(moves, lane.Move{Pointer: with, By: four})
	}
	lane.Loop(rows, func() {
		from, off, left := x, GP64(), GP64()
		MOVQ(n, left)
		XORQ(off, off)
		var number reg.VecVirtual
		switch k.kind {
		case perRow:
			number = s.Vec()
			VBROADCASTSS(Mem{Base: with}, number)
		case chooses:
			from = GP64()
			MOVLQSX(Mem{Base: with}, from)
			IMULQ(ldx, from)
			ADDQ(x, from)
		}
		// vectors moves u of them.
		vectors := func(u int, m *lane.Mask) {
			for i := range u {
				at := func(p reg.Register) Mem { return Mem{Base: p, Index: off, Scale: 1, Disp: i * s.Bytes()} }
				v := s.Vec()
				s.Load(at(from), v, m)
				switch k.name {
				case "addRow":
					VADDPS(s.Source(at(with), m), v, v)
				case "mulRow":
					VMULPS(s.Source(at(with), m), v, v)
				case "rowsBy":
					VMULPS(number, v, v)
				}
				s.Store(v, at(dst), m)
			}
		}
		// step does so while u*N elements are left.
		step := func(u int) {
			more, less := lane.Fresh("more"), lane.Fresh("less")
			Label(more)
			CMPQ(left, U32(u*s.N))
			JLT(LabelRef(less))
			vectors(u, nil)
			ADDQ(U32(u*s.Bytes()), off)
			SUBQ(U32(u*s.N), left)
			JMP(LabelRef(more))
			Label(less)
		}
		step(4)
		step(1)
		skip := lane.Fresh("skip")
		TESTQ(left, left)
		JZ(LabelRef(skip))
		vectors(1, m)
		Label(skip)
	}, moves...)
	Label(done)
	VZEROUPPER()
	RET()
}

// gatherNumbers is gather of single numbers that lie without gaps:
//
//	dst[i] = table[ids[i]] // VGATHERDPS
func gatherNumbers(s lane.Set) {
	TEXT("gatherNumbers"+s.Name, NOSPLIT, "func(dst, table *float32, ids *int32, rows int)")
	dst, table, ids := arg("dst"), arg("table"), arg("ids")
	rem, off := arg("rows"), GP64()
	s.Blocks(rem, off, []int{1}, func(_ int, m *lane.Mask) {
		at := func(p reg.Register) Mem { return Mem{Base: p, Index: off, Scale: 1} }
		id, v := s.Vec(), s.Zeros(1)[0]
		s.Load(at(ids), id, m)
		s.Gather(Mem{Base: table, Index: id, Scale: 4}, v, m)
		s.Store(v, at(dst), m)
	})
	VZEROUPPER()
	RET()
}
