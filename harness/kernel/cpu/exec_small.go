package cpu

import (
	"unsafe"

	"pushdown/harness/kernel"
	"pushdown/harness/kernel/cpu/simd"
)

// This file makes small products fast. A product of a few rows of eight numbers takes some
// nanoseconds, but deciding how to split it among threads and tiles takes several times as
// long. So Compile makes the decisions that depend only on the shape. If a frame has too many
// rows, the general routine runs instead. Both routines give the same bits.

// smallProducts replaces the routines of small products by faster ones, which call the
// general routine for frames that are too large.
func (c *code) smallProducts(a *arena) {
	for i := range c.instrs {
		in := &c.instrs[i]
		if in.Op != kernel.MatMul && in.Op != kernel.Affine {
			continue
		}
		if p := c.smallProduct(a, in, c.runs[i]); p != nil {
			c.runs[i] = p.exec
		}
	}
}

// smallProduct is a product of few rows that one tile computes, or two, one below the other.
type smallProduct struct {
	general run
	lies    simd.GemmTile               // reads the second operand in place
	packed  simd.GemmTile               // reads it packed
	heights *[15]func(t *simd.GemmTile) // the kernel for each number of rows
	one     int                         // largest number of rows of one tile
	most    int                         // largest number of rows
	pack    *pack                       // nil: the second operand is always read in place
	panels  bool                        // it has several panels if it is packed, which tiles here cannot read
	addRow  func(dst, x, w *float32, rows, cols, ldd, ldx int)
}

// smallProduct returns a product that one or two tiles can compute, or nil for other products.
func (c *code) smallProduct(a *arena, in *kernel.Instr, general run) *smallProduct {
	table := &a.dev.product.Contexts[0].Table
	if in.Reduce || in.Form == kernel.StackMajor || in.W < 2 || in.K < 1 || in.K > simd.GemmChunk || table.Lanes == 0 {
		return nil
	}
	vectors := table.Vectors(in.W)
	if vectors > 4 || in.Args[0].LD == 0 || in.Args[1].LD == 0 {
		return nil
	}
	p := &smallProduct{general: general, heights: &table.Tile[vectors], one: table.Rows[vectors]}
	few := simd.SmallWork / (in.W * in.K) // rows
	switch {
	case vectors <= 2:
		p.most = max(p.one, min(2*p.one, few)) // one tile of two vectors is small whatever K is
	case table.Lanes >= 16:
		p.most = min(2*p.one, few)
	default:
		p.most = min(p.one, few) // two panels of two vectors have higher tiles
	}
	for _, pack := range c.packs {
		if pack.in == in {
			p.pack = pack
		}
	}
	p.panels = in.W > a.dev.product.Contexts[0].PackedPanel()
	if (p.pack == nil || p.panels) && in.I[1] == 1 {
		return nil
	}
	if in.Op == kernel.Affine {
		p.addRow = a.dev.kernels.Reduce.AddRow
	}
	t := &p.packed
	t.K, t.First, t.Batches, t.Tiles = in.K, in.K, 1, 1
	t.ARow, t.AStep, t.CRow = 4*in.Args[1].LD, 4, 4*in.Args[0].LD
	if in.I[0] == 1 {
		t.ARow, t.AStep = t.AStep, t.ARow
	}
	t.Last = in.W - (vectors-1)*table.Lanes
	t.BStep = 4 * vectors * table.Lanes
	if in.Op == kernel.MatMul && in.I[2] == 1 {
		t.Add = 1
	}
	p.lies = *t
	p.lies.BStep = 4 * in.Args[2].LD
	if p.lies.Last < table.Lanes {
		p.lies.Mode = simd.TileMasked
	}
	return p
}

func (p *smallProduct) exec(a *arena, in *kernel.Instr, f *kernel.Frame) {
	rows, _ := in.Extents(f)
	ready := p.pack != nil && p.pack.ready
	if rows == 0 || rows > p.most || ready && p.panels || !ready && in.I[1] == 1 {
		p.general(a, in, f)
		return
	}
	t := &p.lies
	if ready {
		t = &p.packed
		t.B = unsafe.Pointer(&p.pack.mem[0])
	} else {
		b, _ := in.Args[2].Resolve(f)
		t.B = unsafe.Pointer(a.f32(b))
	}
	at, ld := in.Args[0].Resolve(f)
	x, _ := in.Args[1].Resolve(f)
	c := a.f32(at)
	t.A, t.C = unsafe.Pointer(a.f32(x)), unsafe.Pointer(c)
	if rows <= p.one {
		p.heights[rows](t)
	} else {
		upper := (rows + 1) / 2
		p.heights[upper](t)
		t.A, t.C = unsafe.Add(t.A, upper*t.ARow), unsafe.Add(t.C, upper*t.CRow)
		p.heights[rows-upper](t)
	}
	t.A, t.B, t.C = nil, nil, nil // so that the garbage collector can free the matrices
	if p.addRow != nil {
		bias, _ := in.Args[3].Resolve(f)
		p.addRow(c, c, a.f32(bias), rows, in.W, ld, ld)
	}
}
