package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
)

// A network of a few units spends its time on the way to the kernels: an
// instruction over some rows of eight numbers takes some nanoseconds, to decide
// how to cut it among threads and tiles several times as long. What follows from
// the shape alone is decided here, when a program is compiled, and what is left
// to do in a frame is to find the operands. A frame that is too large for that
// takes the general way. The kernels are the same, and so are the bits.

// smallElements is the most elements of a small instruction.
const smallElements = groupTile

// small puts the ways of small instructions before the general ones.
func (c *code) small(a *arena) {
	for i := range c.instrs {
		in := &c.instrs[i]
		var way run
		switch in.Op {
		case kernel.MatMul, kernel.Affine:
			way = c.smallProduct(a, in, c.runs[i])
		default:
			way = a.smallVector(in, c.runs[i])
		}
		if way != nil {
			c.runs[i] = way
		}
	}
}

// smallProduct is a product of few rows by one tile.
type smallProduct struct {
	general run
	tile    gemmTile
	heights *[15]func(t *gemmTile) // the kernel for so many rows
	most    int                    // rows
	pack    *pack                  // nil: the second operand is read where it lies
	addRow  func(dst, x, w *float32, rows, cols, ldd, ldx int)
}

// smallProduct returns the way of a product that a tile takes at once, nil if it is
// none.
func (c *code) smallProduct(a *arena, in *kernel.Instr, general run) run {
	table := &a.dev.product.contexts[0].table
	if in.Reduce || in.Form != kernel.Rows || in.I[0] == 1 || in.W < 2 || in.K < 1 || in.K > gemmChunk || table.lanes == 0 {
		return nil
	}
	vectors := table.vectors(in.W)
	if vectors > 2 || in.Args[0].LD == 0 || in.Args[1].LD == 0 {
		return nil
	}
	p := &smallProduct{general: general, heights: &table.tile[vectors], most: table.rows[vectors]}
	for _, pack := range c.packs {
		if pack.in == in {
			p.pack = pack
		}
	}
	if p.pack == nil && in.I[1] == 1 {
		return nil
	}
	if in.Op == kernel.Affine {
		p.addRow = a.dev.kernels.reduce.addRow
	}
	t := &p.tile
	t.k, t.first, t.batches, t.tiles = in.K, in.K, 1, 1
	t.aRow, t.aStep, t.cRow = 4*in.Args[1].LD, 4, 4*in.Args[0].LD
	t.last = in.W - (vectors-1)*table.lanes
	t.bStep = 4 * vectors * table.lanes // of a packed operand
	if in.Op == kernel.MatMul && in.I[2] == 1 {
		t.add = 1
	}
	lies := *t // where it lies
	lies.bStep = 4 * in.Args[2].LD
	if lies.last < table.lanes {
		lies.mode = tileMasked
	}
	return func(a *arena, in *kernel.Instr, f *kernel.Frame) { p.exec(a, in, f, &lies) }
}

func (p *smallProduct) exec(a *arena, in *kernel.Instr, f *kernel.Frame, lies *gemmTile) {
	t := lies
	switch {
	case p.pack != nil && p.pack.ready:
		t = &p.tile
		t.b = unsafe.Pointer(&p.pack.mem[0])
	case in.I[1] == 1 || f.N > p.most:
		p.general(a, in, f)
		return
	default:
		b, _ := in.Args[2].Resolve(f)
		t.b = unsafe.Pointer(a.f32(b))
	}
	if f.N > p.most || f.N == 0 {
		p.general(a, in, f)
		return
	}
	at, ld := in.Args[0].Resolve(f)
	x, _ := in.Args[1].Resolve(f)
	c := a.f32(at)
	t.a, t.c = unsafe.Pointer(a.f32(x)), unsafe.Pointer(c)
	p.heights[f.N](t)
	t.a, t.b, t.c = nil, nil, nil // they must not keep matrices alive
	if p.addRow != nil {
		bias, _ := in.Args[3].Resolve(f)
		p.addRow(c, c, a.f32(bias), f.N, in.W, ld, ld)
	}
}

// smallVector returns the way of an elementwise instruction whose rows are adjacent
// in all operands, nil if it is none.
func (a *arena) smallVector(in *kernel.Instr, general run) run {
	e := &a.dev.kernels.vec.op[in.Op]
	if e.x == nil && e.xy == nil {
		return nil
	}
	if in.Form != kernel.Rows {
		return nil
	}
	for _, arg := range in.Args {
		if arg.LD != in.W {
			return nil
		}
	}
	return func(a *arena, in *kernel.Instr, f *kernel.Frame) {
		n := f.N * in.W
		if n > smallElements || n == 0 {
			general(a, in, f)
			return
		}
		d, _ := in.Args[0].Resolve(f)
		x, _ := in.Args[1].Resolve(f)
		if e.xy == nil {
			e.x(a.f32(d), a.f32(x), n)
			return
		}
		y, _ := in.Args[2].Resolve(f)
		e.xy(a.f32(d), a.f32(x), a.f32(y), n)
	}
}
