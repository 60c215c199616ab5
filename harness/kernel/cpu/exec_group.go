package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// A group is a sequence of elementwise instructions. All of them run on one tile, a few
// hundred elements, before the first of them runs on the next tile. So the result of an
// instruction is still in the L1 cache when the next instruction reads it. Local values,
// which only the group reads, never leave that cache. A tile is part of a row, several narrow
// rows or, if no operand has gaps between its rows, any range of elements. The tiles of a row are
// about equally wide: a short last tile would leave no time to prefetch the next row.
//
// The operands of a large group come from memory, and there are more of them than a processor
// prefetches by itself. So after an instruction has run on a tile, the group prefetches the next
// tile of the operands that the instruction is the first to use. Tiles of several narrow rows
// are not prefetched.

const (
	groupTile   = 512 // elements in a tile
	groupNarrow = 32  // with fewer columns, a tile holds several rows
	groupStages = 3   // tiles for copies of operands with gaps between narrow rows
	groupShare  = 1 << 16
	groupMany   = 6       // fewest operands of a group that prefetches
	groupFetch  = 1 << 15 // fewest elements that its operands have together: 128 KiB
)

// groupOp is one instruction of a group. Each of its operands d, x and y is a number: an
// index in group.places or, for local value i, the negative number ^i.
type groupOp struct {
	run     func(d, x, y *float32, n int)
	cast    groupCast
	d, x, y int
	fixed   bool // the operation reads only x

	// group.places[from:to] are the operands that this instruction is the first to use, except a
	// broadcast y.
	from, to int
}

// groupCast says how operand y of a groupOp is broadcast.
type groupCast uint8

const (
	castNone groupCast = iota // a matrix like the others, not broadcast
	castOne                   // one number
	castRow                   // a row
	castCol                   // a column
)

// group is a compiled Group.
type group struct {
	dev    *Device
	in     *kernel.Instr
	ops    []groupOp
	places []kernel.Arg // distinct operands that are not local
	cost   int          // per element, in additions
	job    func(worker, part int)

	// The frame being run.
	at         []groupPlace
	rows, cols int
	fetches    bool // the group prefetches
	dense      bool // no operand has gaps between its rows, and a broadcast y is one number
	parts      int
}

type groupPlace struct {
	p  *float32
	ld int
}

// scalarCost is the time per element of an operation that is Costly in kernel.Ops, in
// units of an addition.
const scalarCost = 12

// newGroup checks and compiles a Group.
func (a *arena) newGroup(in *kernel.Instr) (*group, error) {
	if err := in.CheckGroup(len(a.mem)); err != nil {
		return nil, err
	}
	g := &group{dev: a.dev, in: in}
	for i := range in.Body {
		g.add(&in.Body[i])
	}
	g.at = make([]groupPlace, len(g.places))
	g.job = g.part
	a.dev.reserveTiles(in.I[0] + groupStages)
	return g, nil
}

// add compiles an instruction of the body.
func (g *group) add(b *kernel.Instr) {
	row := &kernel.Ops[b.Op]
	op := groupOp{fixed: len(row.Args) == 2}
	op.run, op.cast = rowRoutine(g.dev.kernels, b)
	cost := 1
	if row.Costly {
		cost = scalarCost
	}
	g.cost += cost
	op.from = len(g.places)
	op.d, op.x = g.place(b.Args[0]), g.place(b.Args[1])
	op.to = len(g.places)
	if !op.fixed {
		op.y = g.place(b.Args[2])
		if op.cast == castNone {
			op.to = len(g.places)
		}
	}
	g.ops = append(g.ops, op)
}

// rowRoutine returns the routine of an elementwise instruction for n elements of a row. The
// routine's y is unused unless the instruction has a second operand. If this operand is
// broadcast, cast says how.
func rowRoutine(k *simd.Kernels, in *kernel.Instr) (run func(d, x, y *float32, n int), cast groupCast) {
	v := &k.Vec
	switch in.Op {
	case kernel.Copy:
		return copyRow, castNone
	case kernel.Fill:
		return func(d, _, _ *float32, n int) { v.Fill(d, in.F[0], n) }, castNone
	case kernel.AddRow:
		return v.Op[kernel.Add].Xy, castRow
	case kernel.MulRow:
		return v.Op[kernel.Mul].Xy, castRow
	case kernel.MulOne, kernel.MulCol:
		cast = castOne
		if in.Op == kernel.MulCol {
			cast = castCol
		}
		return func(d, x, y *float32, n int) { v.Op[kernel.Scale].Xf(d, x, *y, n) }, cast
	}
	return v.Op[in.Op].With(in.F), castNone
}

func copyRow(d, x, _ *float32, n int) { copy(unsafe.Slice(d, n), unsafe.Slice(x, n)) }

// place returns the number by which a groupOp names the operand arg: ^i for local value i,
// and otherwise the operand's index in g.places. If the operand is new, place adds it to
// g.places.
func (g *group) place(arg kernel.Arg) int {
	if arg.Slot == kernel.Local {
		return ^arg.Off
	}
	for i, have := range g.places {
		if have == arg {
			return i
		}
	}
	g.places = append(g.places, arg)
	return len(g.places) - 1
}

// exec runs the group on the rows of one frame, such as a time step.
func (g *group) exec(a *arena, in *kernel.Instr, f *kernel.Frame) {
	g.rows, g.cols = f.N, in.W
	if g.rows == 0 || g.cols == 0 {
		return
	}
	for i := range g.places {
		off, ld := g.places[i].Resolve(f)
		g.at[i] = groupPlace{a.f32(off), ld}
	}
	g.dense = true
	for i := range g.ops {
		op := &g.ops[i]
		g.dense = g.dense && (op.cast == castNone || op.cast == castOne) && g.adjacent(op.d) && g.adjacent(op.x) &&
			(op.fixed || op.cast == castOne || g.adjacent(op.y))
	}
	if g.dense {
		g.rows, g.cols = 1, g.rows*g.cols
	}
	g.fetches = len(g.places) >= groupMany && g.rows*g.cols*len(g.places) >= groupFetch
	g.parts = max(1, min(g.dev.team.n, g.rows*g.cols*g.cost/groupShare))
	if g.parts == 1 {
		g.part(0, 0)
		return
	}
	g.dev.team.do(g.parts, g.job)
}

func (g *group) adjacent(place int) bool { return place < 0 || g.at[place].ld == g.cols }

// part runs one of g.parts shares of the group's work; the parameter part is the index of the
// share. A share is some whole rows or, if the group is dense, a range of elements.
func (g *group) part(worker, part int) {
	locals := unsafe.SliceData(g.dev.tiles[worker])
	if g.dense {
		lines := (g.cols + 15) / 16
		from, to := lines*part/g.parts*16, min(g.cols, lines*(part+1)/g.parts*16)
		g.row(locals, 0, from, to, true)
		return
	}
	from, to := g.rows*part/g.parts, g.rows*(part+1)/g.parts
	if g.cols >= groupNarrow {
		for r := from; r < to; r++ {
			g.row(locals, r, 0, g.cols, r+1 == to)
		}
		return
	}
	tile := groupTile / g.cols
	for r := from; r < to; r += tile {
		g.narrow(locals, r, min(to, r+tile))
	}
}

// row runs the group on row r, columns [from, to). Unless last is set, the same columns of the next row
// follow, and are prefetched.
func (g *group) row(locals *float32, r, from, to int, last bool) {
	tiles := max(1, (to-from+groupTile-1)/groupTile)
	width := ((to-from+tiles-1)/tiles + 15) &^ 15
	for c := from; c < to; c += width {
		n := min(width, to-c)
		nextR, nextC, nextN := r, c+n, min(width, to-c-n)
		if nextN == 0 && !last {
			nextR, nextC, nextN = r+1, from, min(width, to-from)
		}
		for i := range g.ops {
			op := &g.ops[i]
			var y *float32
			switch {
			case op.fixed:
			case op.cast == castNone:
				y = g.element(locals, op.y, r, c)
			case op.cast == castRow:
				y = simd.At(g.at[op.y].p, c)
			case op.cast == castCol:
				y = simd.At(g.at[op.y].p, r*g.at[op.y].ld)
			default:
				y = g.at[op.y].p
			}
			op.run(g.element(locals, op.d, r, c), g.element(locals, op.x, r, c), y, n)
			if g.fetches && nextN > 0 {
				for p := op.from; p < op.to; p++ {
					g.dev.kernels.Vec.Fetch(g.element(nil, p, nextR, nextC), nextN)
				}
			}
		}
	}
}

func (g *group) element(locals *float32, place, r, c int) *float32 {
	if place < 0 {
		return simd.At(locals, ^place*groupTile)
	}
	p := &g.at[place]
	return simd.At(p.p, r*p.ld+c)
}

// narrow runs the group on all rows [from, to) at once. For each instruction, it copies
// operands with gaps between their rows to a buffer without gaps. If the result has such
// gaps, it is computed in a buffer too and copied from there.
func (g *group) narrow(locals *float32, from, to int) {
	rows, n := to-from, (to-from)*g.cols
	stage := simd.At(locals, g.in.I[0]*groupTile)
	k := g.dev.kernels
	for i := range g.ops {
		op := &g.ops[i]
		x := g.gathered(locals, stage, op.x, from, rows)
		d, apart := g.element(locals, op.d, from, 0), !g.adjacent(op.d)
		if apart {
			d = simd.At(stage, 2*groupTile)
		}
		switch {
		case op.fixed:
			op.run(d, x, nil, n)
		case op.cast == castNone:
			op.run(d, x, g.gathered(locals, simd.At(stage, groupTile), op.y, from, rows), n)
		case op.cast == castOne:
			op.run(d, x, g.at[op.y].p, n)
		case op.cast == castCol:
			y := g.at[op.y]
			for r := range rows {
				op.run(simd.At(d, r*g.cols), simd.At(x, r*g.cols), simd.At(y.p, (from+r)*y.ld), g.cols)
			}
		default:
			for r := range rows {
				op.run(simd.At(d, r*g.cols), simd.At(x, r*g.cols), g.at[op.y].p, g.cols)
			}
		}
		if apart {
			k.Reduce.CopyRows(g.element(locals, op.d, from, 0), d, rows, g.cols, g.at[op.d].ld, g.cols)
		}
	}
}

// gathered returns an address at which consecutive rows of an operand lie without gaps
// between them. If the operand has gaps, gathered first copies these rows to the buffer at
// stage.
func (g *group) gathered(locals, stage *float32, place, from, rows int) *float32 {
	x := g.element(locals, place, from, 0)
	if g.adjacent(place) {
		return x
	}
	g.dev.kernels.Reduce.CopyRows(stage, x, rows, g.cols, g.cols, g.at[place].ld)
	return stage
}

// reserveTiles makes room for n tiles for each worker.
func (d *Device) reserveTiles(n int) {
	for len(d.tiles) < d.team.n {
		d.tiles = append(d.tiles, nil)
	}
	for i := range d.tiles {
		simd.Grow(&d.tiles[i], n*groupTile)
	}
}
