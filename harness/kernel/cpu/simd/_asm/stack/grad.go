package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"pushdown/harness/kernel/cpu/simd/asm/lane"
)

// Offsets of the fields of StackGradArgs, in their order, 8 bytes each.
const (
	argDs = 8 * iota
	argDpush
	argDpop
	argDnoop
	argDy
	argS
	argV
	argPush
	argPop
	argNoop
	argLdds
	argLddy
	argLds
	argLdv
	argP
	argC
	argFirst
	argInner
	argLast
	argSingle
	argSums
	argAdd
	argEmpty
	argLeast = argEmpty + 4
	argLo    = argEmpty + 8
	argHi    = argEmpty + 12
)

// gradient is the state of the loops over one block of columns.
type gradient struct {
	lane.Set
	u    int
	m    *lane.Mask
	args reg.Register

	ldds, lddy, lds, ldv reg.Register
	dyCell, sCell        reg.Register // bytes from a row to the row one cell below
	ds, dy, s, v         reg.Register // addresses of the current row; dy and s may be one cell above it
	push, pop, noop      []reg.VecVirtual
	dPush, dPop, dNoop   []reg.VecVirtual // sums
	empty                reg.VecVirtual
	bounds               *bounds // nil: ds is stored without bounds
}

// grad generates stackGradRows of stack_amd64.go, or stackBounded if bounded is set:
//
//	t := pop[c] * dy[r-p][c]          // VMULPS, not in the first cell
//	t = FMA(push[c], dy[r+p][c], t)   // VFMADD231PS, not in the last cell
//	t = FMA(noop[c], dy[r][c], t)     // VFMADD231PS, unless noop is nil
//	dpush = FMA(dy[r][c], up, dpush)  // VFMADD231PS, likewise dpop, dnoop
//
// ds is the gradient of the stack. The function divides the rows into the same runs as the
// function step: the first cell, the cells in the middle, and the last cell. If the caller
// wants the sums but not ds, every row of ds is stored to the same place on the stack
// frame.
func grad(s lane.Set, bounded bool) {
	name := "stackGradRows"
	if bounded {
		name = "stackBounded"
	}
	TEXT(name+s.Name, NOSPLIT, "func(a *byte)")
	args := Load(Param("a"), GP64())
	field := func(o int) Mem { return Mem{Base: args, Disp: o} }
	get := func(o int) reg.Register {
		r := GP64()
		MOVQ(field(o), r)
		return r
	}
	stride := func(o int) reg.Register {
		r := get(o)
		SHLQ(U8(2), r)
		return r
	}
	dummy := AllocLocal(2 * s.Bytes())
	rem, off := get(argC), GP64()
	g := &gradient{Set: s, args: args}
	g.ldds, g.lddy, g.lds, g.ldv = stride(argLdds), stride(argLddy), stride(argLds), stride(argLdv)
	g.dyCell, g.sCell = get(argP), get(argP)
	IMULQ(g.lddy, g.dyCell)
	IMULQ(g.lds, g.sCell)
	g.ds, g.dy, g.s, g.v = GP64(), GP64(), GP64(), GP64()
	if bounded {
		g.bounds = &bounds{ZMM(), ZMM(), ZMM(), ZMM()}
		VPTERNLOGD(U8(0xff), g.bounds.size, g.bounds.size, g.bounds.size)
		VPSRLD(U8(1), g.bounds.size, g.bounds.size)
		VBROADCASTSS(field(argLeast), g.bounds.least)
		VBROADCASTSS(field(argLo), g.bounds.lo)
		VBROADCASTSS(field(argHi), g.bounds.hi)
	}
	s.Blocks(rem, off, []int{2}, func(u int, m *lane.Mask) {
		g.u, g.m = u, m
		weights := func(o int) []reg.VecVirtual {
			p, to := get(o), s.Vecs(u)
			for i := range to {
				s.Load(Mem{Base: p, Index: off, Scale: 1, Disp: i * s.Bytes()}, to[i], m)
			}
			return to
		}
		g.push, g.pop = weights(argPush), weights(argPop)
		hasDs := lane.Fresh("ds")
		MOVQ(field(argDs), g.ds)
		ADDQ(off, g.ds)
		CMPQ(field(argDs), Imm(0))
		JNE(LabelRef(hasDs))
		LEAQ(dummy, g.ds)
		Label(hasDs)
		for _, p := range []struct {
			arg int
			to  reg.Register
		}{{argDy, g.dy}, {argS, g.s}, {argV, g.v}} {
			MOVQ(field(p.arg), p.to)
			ADDQ(off, p.to)
		}
		stateOnly, quiet, quietState, done := lane.Fresh("state"), lane.Fresh("quiet"), lane.Fresh("quietState"), lane.Fresh("done")
		CMPQ(field(argSums), Imm(0))
		JE(LabelRef(stateOnly))
		g.empty = s.Vec()
		VBROADCASTSS(field(argEmpty), g.empty)
		CMPQ(field(argNoop), Imm(0))
		JE(LabelRef(quiet))
		g.noop = weights(argNoop)
		g.both(off)
		JMP(LabelRef(done))
		Label(quiet)
		g.noop = nil
		g.both(off)
		JMP(LabelRef(done))
		Label(stateOnly)
		CMPQ(field(argNoop), Imm(0))
		JE(LabelRef(quietState))
		g.noop = weights(argNoop)
		g.rows(false)
		JMP(LabelRef(done))
		Label(quietState)
		g.noop = nil
		g.rows(false)
		Label(done)
	})
	VZEROUPPER()
	RET()
}

// both emits code that computes ds, the gradient of the stack, and the gradients of the
// weights, which are sums over rows. It stores the sums that the caller wants.
func (g *gradient) both(off reg.Register) {
	g.dPush, g.dPop, g.dNoop = g.Zeros(g.u), g.Zeros(g.u), nil
	if g.noop != nil {
		g.dNoop = g.Zeros(g.u)
	}
	g.rows(true)
	for _, out := range []struct {
		arg int
		sum []reg.VecVirtual
	}{{argDpush, g.dPush}, {argDpop, g.dPop}, {argDnoop, g.dNoop}} {
		if out.sum == nil {
			continue
		}
		p, skip, first := GP64(), lane.Fresh("skip"), lane.Fresh("first")
		MOVQ(Mem{Base: g.args, Disp: out.arg}, p)
		TESTQ(p, p)
		JZ(LabelRef(skip))
		ADDQ(off, p)
		CMPQ(Mem{Base: g.args, Disp: argAdd}, Imm(0))
		JE(LabelRef(first))
		for i, v := range out.sum {
			VADDPS(g.Source(Mem{Base: p, Disp: i * g.Bytes()}, g.m), v, v)
		}
		Label(first)
		for i, v := range out.sum {
			g.Store(v, Mem{Base: p, Disp: i * g.Bytes()}, g.m)
		}
		Label(skip)
	}
}

// rows emits the loops over the runs of rows: the first cell, the cells between it and
// the last cell, the last cell, or the only cell of a stack.
func (g *gradient) rows(sums bool) {
	n := GP64()
	begin := func(arg int, next string) {
		MOVQ(Mem{Base: g.args, Disp: arg}, n)
		TESTQ(n, n)
		JZ(LabelRef(next))
	}
	inner, last, single, done := lane.Fresh("inner"), lane.Fresh("last"), lane.Fresh("single"), lane.Fresh("done")
	below := func(p, cell reg.Register, cells uint8) Mem {
		if cells == 0 {
			return Mem{Base: p}
		}
		return Mem{Base: p, Index: cell, Scale: cells}
	}
	v := lane.Move{Pointer: g.v, By: g.ldv}
	if g.bounds != nil {
		g.numbers(n, sums)
		return
	}
	if g.N == 16 || g.u == 1 || !sums { // otherwise there are too few registers
		wide := lane.Fresh("wide")
		CMPQ(Mem{Base: g.args, Disp: argP}, Imm(1))
		JNE(LabelRef(wide))
		CMPQ(Mem{Base: g.args, Disp: argSingle}, Imm(0))
		JNE(LabelRef(wide))
		g.numbers(n, sums)
		JMP(LabelRef(done))
		Label(wide)
	}

	// In the first cell, dy and s point to the current row.
	begin(argFirst, inner)
	g.run(n, sums, cellRun{
		here: below(g.dy, g.dyCell, 0), below: below(g.dy, g.dyCell, 1), hasBelow: true,
		up: below(g.v, g.sCell, 0), mid: below(g.s, g.sCell, 0), down: below(g.s, g.sCell, 1),
	}, v)
	// From here on, dy and s point to the row one cell above the current row.
	SUBQ(g.dyCell, g.dy)
	SUBQ(g.sCell, g.s)

	Label(inner)
	begin(argInner, last)
	g.run(n, sums, cellRun{
		above: below(g.dy, g.dyCell, 0), hasAbove: true, here: below(g.dy, g.dyCell, 1), below: below(g.dy, g.dyCell, 2), hasBelow: true,
		up: below(g.s, g.sCell, 0), mid: below(g.s, g.sCell, 1), down: below(g.s, g.sCell, 2),
	})

	Label(last)
	begin(argLast, single)
	g.run(n, sums, cellRun{
		above: below(g.dy, g.dyCell, 0), hasAbove: true, here: below(g.dy, g.dyCell, 1),
		up: below(g.s, g.sCell, 0), mid: below(g.s, g.sCell, 1),
	})

	Label(single)
	begin(argSingle, done)
	g.run(n, sums, cellRun{
		here: below(g.dy, g.dyCell, 0), up: below(g.v, g.sCell, 0), mid: below(g.s, g.sCell, 0),
	}, v)
	Label(done)
}

// cellRun locates the operands of the gradient at a row of the stack. The fields above,
// here and below locate dy in the cell above, in this cell and in the cell below. The
// fields up, mid and down locate the values of the stack in the same cells. In the last
// cell, the value of empty cells takes the place of down.
type cellRun struct {
	above, here, below Mem
	hasAbove, hasBelow bool
	up, mid, down      Mem
}

func (g *gradient) run(n reg.Register, sums bool, c cellRun, moves ...lane.Move) {
	lane.Loop(n, func() {
		for i := range g.u {
			o := i * g.Bytes()
			t := g.Vec()
			if c.hasAbove {
				VMULPS(g.Source(c.above.Offset(o), g.m), g.pop[i], t)
			} else {
				VXORPS(t, t, t)
			}
			if c.hasBelow {
				VFMADD231PS(g.Source(c.below.Offset(o), g.m), g.push[i], t)
			}
			var here Op
			if sums {
				h := g.Vec()
				g.Load(c.here.Offset(o), h, g.m)
				VFMADD231PS(g.Source(c.up.Offset(o), g.m), h, g.dPush[i])
				if c.hasBelow {
					VFMADD231PS(g.Source(c.down.Offset(o), g.m), h, g.dPop[i])
				} else {
					VFMADD231PS(g.empty, h, g.dPop[i])
				}
				if g.noop != nil {
					VFMADD231PS(g.Source(c.mid.Offset(o), g.m), h, g.dNoop[i])
				}
				here = h
			}
			if g.noop != nil {
				if here == nil {
					here = g.Source(c.here.Offset(o), g.m)
				}
				VFMADD231PS(here, g.noop[i], t)
			}
			g.Store(t, Mem{Base: g.ds, Disp: o}, g.m)
		}
	}, append(moves, lane.Move{Pointer: g.ds, By: g.ldds}, lane.Move{Pointer: g.dy, By: g.lddy}, lane.Move{Pointer: g.s, By: g.lds})...)
}

// numbers emits the loop for stacks of two or more cells that have one row each. Each
// row of dy and of s is loaded once; it serves first as the row below, then as the
// current row, then as the row above.
func (g *gradient) numbers(n reg.Register, sums bool) {
	above, here, up, mid := g.Vecs(g.u), g.Vecs(g.u), g.Vecs(g.u), g.Vecs(g.u)
	load := func(p reg.Register, to []reg.VecVirtual) {
		for i, v := range to {
			g.Load(Mem{Base: p, Disp: i * g.Bytes()}, v, g.m)
		}
	}
	// row emits code that completes a row of ds and adds the row's terms to the sums. The
	// register t already holds the first term of ds.
	row := func(i int, t, below, down reg.VecVirtual) {
		if below != nil {
			VFMADD231PS(below, g.push[i], t)
		}
		if g.noop != nil {
			VFMADD231PS(here[i], g.noop[i], t)
		}
		if g.bounds != nil {
			g.bounds.hold(t)
		}
		g.Store(t, Mem{Base: g.ds, Disp: i * g.Bytes()}, g.m)
		if !sums {
			return
		}
		VFMADD231PS(up[i], here[i], g.dPush[i])
		VFMADD231PS(down, here[i], g.dPop[i])
		if g.noop != nil {
			VFMADD231PS(mid[i], here[i], g.dNoop[i])
		}
	}
	var rare *small
	if g.Wide() && g.u == 1 && g.bounds == nil {
		rare = &small{recent: GP64()}
		XORQ(rare.recent, rare.recent)
	}
	pass := func(first bool) {
		for i := range g.u {
			t, below := g.Vec(), g.Vec()
			g.Load(Mem{Base: g.dy, Disp: i * g.Bytes()}, below, g.m)
			down := reg.VecVirtual(nil)
			if sums {
				down = g.Vec()
				g.Load(Mem{Base: g.s, Disp: i * g.Bytes()}, down, g.m)
			}
			join := lane.Fresh("join")
			if first {
				VXORPS(t, t, t)
			} else {
				if rare != nil {
					few, plain := lane.Fresh("few"), lane.Fresh("plain")
					rare.look(below, few)
					rare.later(few, join, func() { g.smallRow(above[i], here[i], below, up[i], mid[i], down, t, plain) })
					Label(plain)
				}
				VMULPS(above[i], g.pop[i], t)
			}
			row(i, t, below, down)
			Label(join)
			VMOVAPS(here[i], above[i])
			VMOVAPS(below, here[i])
			if sums {
				VMOVAPS(mid[i], up[i])
				VMOVAPS(down, mid[i])
			}
		}
	}
	next := func() {
		ADDQ(g.lddy, g.dy)
		if sums {
			ADDQ(g.lds, g.s)
		}
	}
	notFirst, inner, last, done := lane.Fresh("notFirst"), lane.Fresh("inner"), lane.Fresh("last"), lane.Fresh("done")
	CMPQ(Mem{Base: g.args, Disp: argFirst}, Imm(0))
	JE(LabelRef(notFirst))
	load(g.dy, here)
	if sums {
		load(g.v, up)
		load(g.s, mid)
	}
	next()
	pass(true)
	next()
	ADDQ(g.ldds, g.ds)
	JMP(LabelRef(inner))
	Label(notFirst)
	load(g.dy, above)
	if sums {
		load(g.s, up)
	}
	next()
	load(g.dy, here)
	if sums {
		load(g.s, mid)
	}
	next()
	Label(inner)
	MOVQ(Mem{Base: g.args, Disp: argInner}, n)
	TESTQ(n, n)
	JZ(LabelRef(last))
	moves := []lane.Move{{Pointer: g.ds, By: g.ldds}, {Pointer: g.dy, By: g.lddy}}
	if sums {
		moves = append(moves, lane.Move{Pointer: g.s, By: g.lds})
	}
	lane.Loop(n, func() { pass(false) }, moves...)
	Label(last)
	CMPQ(Mem{Base: g.args, Disp: argLast}, Imm(0))
	JE(LabelRef(done))
	for i := range g.u {
		t := g.Vec()
		VMULPS(above[i], g.pop[i], t)
		row(i, t, nil, g.empty)
	}
	Label(done)
	if rare != nil {
		rare.finish()
	}
}

// smallRow emits code for a row of numbers in stacks with one vector of columns, like that of
// the loop in numbers, but fast for subnormal numbers. If the row has numbers that do not permit
// this, it jumps to plain, which must compute the row.
func (g *gradient) smallRow(above, here, below, up, mid, down, t reg.VecVirtual, plain string) {
	values, by := []reg.VecVirtual{above, below}, []reg.VecVirtual{g.pop[0], g.push[0]}
	if g.noop != nil {
		values, by = append(values, here), append(by, g.noop[0])
	}
	scaled(values, by, t, plain)
	g.Store(t, Mem{Base: g.ds}, g.m)
	if down == nil {
		return
	}
	add(here, up, g.dPush[0])
	add(here, down, g.dPop[0])
	if g.noop != nil {
		add(here, mid, g.dNoop[0])
	}
}
