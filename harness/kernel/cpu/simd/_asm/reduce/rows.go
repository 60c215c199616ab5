package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// move describes a kernel that goes through a matrix row by row, for example one that
// copies the rows or adds a vector to each of them.
type move struct {
	name, signature string
	// Names of two parameters of the kernel: the source matrix (the field from) and the
	// distance between its rows (the field ld).
	from, ld string
	// with is the name of a third operand, or empty if there is none. The field kind says
	// what this operand contains.
	with string
	kind int
}

const (
	alone   = iota // there is no third operand
	along          // with is a vector along the row: column j uses with[j]
	perRow         // with has a number for each row: row r uses with[r]
	chooses        // with has row numbers: row with[r] of the source is read
	places         // with has row numbers: row with[r] of dst is written
)

var moves = []move{
	{"copyRows", "func(dst, x *float32, rows, n, ldd, ldx int)", "x", "ldx", "", alone},
	{"addRow", "func(dst, x, row *float32, rows, n, ldd, ldx int)", "x", "ldx", "row", along},
	{"mulRow", "func(dst, x, row *float32, rows, n, ldd, ldx int)", "x", "ldx", "row", along},
	{"rowsBy", "func(dst, x, w *float32, rows, n, ldd, ldx int)", "x", "ldx", "w", perRow},
	{"gatherRows", "func(dst, table *float32, ids *int32, rows, n, ldd, ldt int)", "table", "ldt", "ids", chooses},
	{"scatterRows", "func(dst, x *float32, ids *int32, rows, n, ldd, ldx int)", "x", "ldx", "ids", places},
}

// few is the largest number of vectors in a row that is handled without a loop over its
// vectors.
const few = 4

// write emits the kernel. Rows of at most four vectors (the constant few) need only the
// loop over the rows. In a longer row, one loop moves four vectors at a time and
// another one single vectors; the rest is a masked vector.
func (k move) write(s lane.Set) {
	TEXT(k.name+s.Name, NOSPLIT, k.signature)
	r := rowsOf{move: k, Set: s, dst: arg("dst"), x: arg(k.from), rows: arg("rows")}
	r.ldd, r.ldx = stride("ldd"), stride(k.ld)
	n, done := arg("n"), lane.Fresh("done")
	TESTQ(r.rows, r.rows)
	JLE(LabelRef(done))
	TESTQ(n, n)
	JLE(LabelRef(done))
	if k.kind != alone {
		r.with = arg(k.with)
	}
	if k.kind == perRow || k.kind == chooses || k.kind == places {
		r.four = GP64()
		MOVQ(U32(4), r.four)
	}
	for u := 1; u <= few; u++ {
		more := lane.Fresh("more")
		CMPQ(n, U32(u*s.N))
		JGT(LabelRef(more))
		rest := GP64()
		MOVQ(n, rest)
		SUBQ(U32((u-1)*s.N), rest)
		r.short(u, s.First(rest))
		JMP(LabelRef(done))
		Label(more)
	}
	r.long(n)
	Label(done)
	VZEROUPPER()
	RET()
}

// rowsOf generates the code of a kernel. It holds the registers with the kernel's
// arguments.
type rowsOf struct {
	move
	lane.Set
	dst, x, with, rows, ldd, ldx, four reg.Register
}

// each emits a loop over the rows. For each row it calls body with the addresses of the row
// in dst and in the source. If kind is perRow, it also passes a vector of copies of the
// number that the third operand has for the row.
func (r rowsOf) each(body func(to, from reg.Register, number reg.VecVirtual)) {
	var moves []lane.Move
	if r.kind != places {
		moves = append(moves, lane.Move{Pointer: r.dst, By: r.ldd})
	}
	if r.kind != chooses {
		moves = append(moves, lane.Move{Pointer: r.x, By: r.ldx})
	}
	if r.four != nil {
		moves = append(moves, lane.Move{Pointer: r.with, By: r.four})
	}
	lane.Loop(r.rows, func() {
		chosen := func(first, ld reg.Register) reg.Register {
			at := GP64()
			MOVLQSX(Mem{Base: r.with}, at)
			IMULQ(ld, at)
			ADDQ(first, at)
			return at
		}
		to, from := r.dst, r.x
		var number reg.VecVirtual
		switch r.kind {
		case perRow:
			number = r.Vec()
			VBROADCASTSS(Mem{Base: r.with}, number)
		case chooses:
			from = chosen(r.x, r.ldx)
		case places:
			to = chosen(r.dst, r.ldd)
		}
		body(to, from, number)
	}, moves...)
}

// vector emits code for one vector of a row: it loads the vector, applies the operation of
// the kernel, and stores the result. If the third operand is a vector along the row, the
// parameter with holds the elements of that operand for the same columns.
func (r rowsOf) vector(to, from Mem, with Op, number reg.VecVirtual, m *lane.Mask) {
	v := r.Vec()
	r.Load(from, v, m)
	r.Store(r.result(v, with, number), to, m)
}

// result returns the vector to be stored, computed from the vector x of the source.
func (r rowsOf) result(x reg.VecVirtual, with Op, number reg.VecVirtual) reg.VecVirtual {
	v := r.Vec()
	switch r.name {
	case "addRow":
		VADDPS(with, x, v)
	case "mulRow":
		VMULPS(with, x, v)
	case "rowsBy":
		VMULPS(number, x, v)
	default:
		return x
	}
	return v
}

// short emits the move for rows of u vectors, the last of them masked.
func (r rowsOf) short(u int, last *lane.Mask) {
	at := func(p reg.Register, i int) Mem { return Mem{Base: p, Disp: i * r.Bytes()} }
	mask := func(i int) *lane.Mask {
		if i == u-1 {
			return last
		}
		return nil
	}
	with := make([]Op, u)
	if r.kind == along {
		for i := range with {
			v := r.Vec()
			r.Load(at(r.with, i), v, mask(i))
			with[i] = v
		}
	}
	if r.kind != along && r.kind != perRow {
		r.each(func(to, from reg.Register, _ reg.VecVirtual) {
			for i := range u {
				r.vector(at(to, i), at(from, i), nil, nil, mask(i))
			}
		})
		return
	}
	// If dst is the source, the next row may begin right after the masked end of this row.
	// Loading the next row just after this end is stored would wait for the masked store. So
	// the next row is loaded before this one is stored.
	v := r.Vecs(u)
	for i := range v {
		r.Load(at(r.x, i), v[i], mask(i))
	}
	r.each(func(to, from reg.Register, number reg.VecVirtual) {
		next := GP64()
		LEAQ(Mem{Base: from, Index: r.ldx, Scale: 1}, next)
		CMPQ(r.rows, Imm(1))
		CMOVQEQ(from, next) // at the last row, load the same row again
		result := make([]reg.VecVirtual, u)
		for i := range v {
			result[i] = r.result(v[i], with[i], number)
			r.Load(at(next, i), v[i], mask(i))
		}
		for i := range result {
			r.Store(result[i], at(to, i), mask(i))
		}
	})
}

// long emits the move for rows of n elements.
func (r rowsOf) long(n reg.Register) {
	rest := GP64()
	MOVQ(n, rest)
	ANDQ(U32(r.N-1), rest)
	m := r.First(rest)
	r.each(func(to, from reg.Register, number reg.VecVirtual) {
		off, left := GP64(), GP64()
		MOVQ(n, left)
		XORQ(off, off)
		// vectors moves u vectors.
		vectors := func(u int, m *lane.Mask) {
			for i := range u {
				at := func(p reg.Register) Mem { return Mem{Base: p, Index: off, Scale: 1, Disp: i * r.Bytes()} }
				var with Op
				if r.kind == along {
					with = r.Source(at(r.with), m)
				}
				r.vector(at(to), at(from), with, number, m)
			}
		}
		// step moves u vectors at a time while at least u*N elements are left.
		step := func(u int) {
			more, less := lane.Fresh("more"), lane.Fresh("less")
			Label(more)
			CMPQ(left, U32(u*r.N))
			JLT(LabelRef(less))
			vectors(u, nil)
			ADDQ(U32(u*r.Bytes()), off)
			SUBQ(U32(u*r.N), left)
			JMP(LabelRef(more))
			Label(less)
		}
		// The masked end of the row is moved before the rest. If dst is the source, the next
		// row may begin right after this end, and loading the next row would wait for a
		// masked store just before.
		skip := lane.Fresh("skip")
		TESTQ(rest, rest)
		JZ(LabelRef(skip))
		MOVQ(n, off)
		SUBQ(rest, off)
		SHLQ(U8(2), off)
		vectors(1, m)
		XORQ(off, off)
		SUBQ(rest, left)
		Label(skip)
		step(4)
		step(1)
	})
}

// gatherNumbers gathers single numbers stored without gaps:
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
