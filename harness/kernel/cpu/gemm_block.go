package cpu

import (
	"runtime"
	"unsafe"
)

// How a product is cut where there is assembly. A kernel keeps a tile of C in
// registers and runs over one chunk of K; the calls go
//
//	for blocks of rows and of columns {     // that fit the second cache
//		for chunks of K {
//			for panels of columns { // of B: fit the first cache
//				for tiles of rows
//
// with the innermost loop in assembly, since a call for each tile would cost
// more than the tile where K and N are small. Rows are split evenly: 15 rows
// are tiles of 8 and 7, not 14 and 1. A and B are read where they lie; only a
// transposed B is packed, a panel at a time.

const (
	blockTiles = 32  // tiles in a block of rows
	blockCols  = 256 // columns in a block
)

// gemmTable is what one instruction set has for products; lanes is 0 where it
// has nothing and gemmGeneric runs.
type gemmTable struct {
	lanes     int                      // float32 in a vector
	rows      [5]int                   // rows[v]: the highest tile of v vectors
	tile      [5][15]func(t *gemmTile) // tile[v][m]: m rows of v vectors
	transpose func(t *gemmTile)        // C = A transposed, see _asm/gemm
}

// panel is the width of a packed panel in columns.
func (t *gemmTable) panel() int { return 2 * t.lanes }

// gemmTile is the argument block of a kernel. Steps are in bytes. The
// generator in _asm/gemm knows the order of the fields.
type gemmTile struct {
	a, b, c unsafe.Pointer
	k       int // products in each sum
	tiles   int // tiles below each other
	aStep   int // in A, between k
	aRow    int // in A, between rows
	aNext   int // in A, from behind the last k of a tile to the next tile
	bStep   int // in B, between k
	cRow    int // in C, between rows
	last    int // columns in the last vector
	add     int // 0: store, 1: add to C
	pf      uintptr
	pfStep  int
	pfNext  int
}

// flipped returns the same product as the transpose of op(B)' op(A)'. For a
// column it turns rows that are too narrow for vectors into columns.
func (a *gemmArgs) flipped() gemmArgs {
	f := *a
	f.M, f.N = a.N, a.M
	f.A, f.Lda, f.TA = a.B, a.Ldb, !a.TB
	f.B, f.Ldb, f.TB = a.A, a.Lda, !a.TA
	return f
}

// blocked computes a product by tiles.
func (c *gemmContext) blocked(a *gemmArgs) {
	if a.N == 1 && a.M > 1 && a.Ldc == 1 && a.Packed == nil {
		f := a.flipped()
		a = &f
	}
	b := gemmBlocks{gemmContext: c, gemmArgs: a, ldb: a.Ldb}
	row, step := steps(a.Lda, a.TA)
	t := &c.tile
	t.aRow, t.aStep = 4*row, 4*step
	switch {
	case a.Packed != nil:
	case a.TB && a.N == 1: // a column that lies in a row
		b.ldb = 1
	case a.TB && a.K == 1 && a.Ldb == 1: // a row that lies in a column
	case a.TB:
		b.turn = true
	}
	b.vectors = 2
	if a.Packed == nil && a.M <= c.table.rows[4] {
		b.vectors = 4
	}
	b.rows()
	t.a, t.b, t.c = nil, nil, nil
	runtime.KeepAlive(a)
}

// gemmBlocks is a product on its way through the loops.
type gemmBlocks struct {
	*gemmContext
	*gemmArgs
	ldb     int  // of B, if it is read where it lies
	turn    bool // B has to be transposed
	vectors int  // in a panel
}

func (b *gemmBlocks) rows() {
	most := blockTiles * b.table.rows[b.vectors]
	blocks := (b.M + most - 1) / most
	for i := range blocks {
		i0, i1 := b.M*i/blocks, b.M*(i+1)/blocks
		for j0 := 0; j0 < b.N; j0 += blockCols {
			b.block(i0, i1, j0, min(j0+blockCols, b.N))
		}
	}
}

// block computes rows i0 to i1 and columns j0 to j1 of C.
func (b *gemmBlocks) block(i0, i1, j0, j1 int) {
	t := &b.tile
	to, ldc := at(b.C, i0*b.Ldc+j0), b.Ldc
	t.add = 0
	if b.Acc {
		t.add = 1
		if b.K > gemmChunk { // C must see the finished sum alone
			ldc = blockCols
			to, t.add = b.sumBuffer((i1-i0)*ldc), 0
		}
	}
	t.cRow = 4 * ldc
	width := b.vectors * b.table.lanes
	for k0 := 0; ; k0 += gemmChunk {
		k1 := min(k0+gemmChunk, b.K)
		for j := j0; j < j1; j += width {
			w := min(width, j1-j)
			b.operandB(k0, k1, j, w)
			b.strip(i0, i1, k0, k1, w, at(to, j-j0))
		}
		if k1 == b.K {
			break
		}
		t.add = 1
	}
	if b.Acc && b.K > gemmChunk {
		addRows(at(b.C, i0*b.Ldc+j0), b.Ldc, to, ldc, i1-i0, j1-j0)
	}
}

// operandB makes rows k0 to k1 of the panel of w columns from j readable by
// the kernels.
func (b *gemmBlocks) operandB(k0, k1, j, w int) {
	t := &b.tile
	lanes := b.table.lanes
	stored := (w + lanes - 1) / lanes * lanes
	switch {
	case b.Packed != nil:
		t.b = unsafe.Pointer(at(b.Packed, j*b.K+k0*stored))
		t.bStep = 4 * stored
	case b.turn:
		panel := b.panelBuffer((k1 - k0) * stored)
		turn := gemmTile{k: k1 - k0, aRow: 4 * b.Ldb, cRow: 4 * stored}
		for v := 0; v < w; v += lanes {
			turn.a = unsafe.Pointer(at(b.B, (j+v)*b.Ldb+k0))
			turn.c = unsafe.Pointer(at(panel, v))
			turn.tiles = min(lanes, w-v)
			b.table.transpose(&turn)
		}
		t.b = unsafe.Pointer(panel)
		t.bStep = 4 * stored
	default:
		t.b = unsafe.Pointer(at(b.B, k0*b.ldb+j))
		t.bStep = 4 * b.ldb
	}
}

// strip computes rows i0 to i1 of one panel of w columns, over one chunk.
func (b *gemmBlocks) strip(i0, i1, k0, k1, w int, to *float32) {
	t := &b.tile
	vectors := (w + b.table.lanes - 1) / b.table.lanes
	t.last = w - (vectors-1)*b.table.lanes
	t.k = k1 - k0
	tiles := (i1 - i0 + b.table.rows[vectors] - 1) / b.table.rows[vectors]
	height, higher := (i1-i0)/tiles, (i1-i0)%tiles
	from := unsafe.Add(unsafe.Pointer(b.A), i0*t.aRow+k0*t.aStep)
	dest := unsafe.Pointer(to)
	t.pf, t.pfStep, t.pfNext = uintptr(unsafe.Pointer(t)), 0, 0
	for range 2 {
		n := tiles - higher
		if n > 0 {
			t.a, t.c, t.tiles = from, dest, n
			t.aNext = height*t.aRow - t.k*t.aStep
			b.table.tile[vectors][height](t)
			if higher == 0 {
				break
			}
			from = unsafe.Add(from, n*height*t.aRow)
			dest = unsafe.Add(dest, n*height*t.cRow)
		}
		height, higher = height+1, tiles-higher
	}
}

// addRows adds the rows of from to those of to.
func addRows(to *float32, ldTo int, from *float32, ldFrom, rows, cols int) {
	for i := range rows {
		x := unsafe.Slice(at(to, i*ldTo), cols)
		y := unsafe.Slice(at(from, i*ldFrom), cols)
		for j := range x {
			x[j] += y[j]
		}
	}
}

// panelBuffer and sumBuffer return memory of n elements on a cache line.
func (c *gemmContext) panelBuffer(n int) *float32 { return grow(&c.panel, n) }
func (c *gemmContext) sumBuffer(n int) *float32   { return grow(&c.sums, n) }

const cacheLine = 64

func grow(buf *[]float32, n int) *float32 {
	if len(*buf) < n {
		raw := make([]float32, n+cacheLine/4)
		skip := 0
		for uintptr(unsafe.Pointer(&raw[skip]))%cacheLine != 0 {
			skip++
		}
		*buf = raw[skip : skip+n]
	}
	return unsafe.SliceData(*buf)
}
