package cpu

import (
	"runtime"
	"unsafe"
)

// How a product is cut where there is assembly. A kernel keeps a tile of C in
// registers and runs over one chunk of K. The loops are
//
//	for blocks of rows and of columns {     // of C: fit the second cache
//		for chunks of K {
//			for panels of columns { // of B: fit the first cache
//				for tiles of rows
//
// with the innermost one in assembly, since a call for each tile would cost
// more than the tile where K and N are small. Rows are split evenly: 15 rows
// are tiles of 7 and 8, not of 14 and 1. A and B are read where they lie,
// except that a panel of B is packed if it is stored transposed, or if its
// rows straddle or share cache lines and enough tiles use it. While the tiles
// of a panel run they fetch the next one.
//
// Shapes that this is bad at go another way. One column is computed as one
// row of the transposed product. Where a product has so few outputs that the
// latency of the additions shows, several chunks run at a time.

const (
	blockTiles = 32  // tiles in a block of rows
	blockCols  = 256 // columns in a block
	packRows   = 56  // rows of C from which on packing B pays
)

// gemmTable is what one instruction set has for products; lanes is 0 where it
// has nothing and gemmGeneric runs. The kernels are described in _asm/gemm.
type gemmTable struct {
	lanes     int                      // float32 in a vector
	rows      [5]int                   // rows[v]: the highest tile of v vectors
	tile      [5][15]func(t *gemmTile) // tile[v][m]: m rows of v vectors
	chunks    [5]int                   // chunks[m]: chunks that chunked[m] takes at a time
	chunked   [5]func(t *gemmTile)     // chunked[m]: m rows of one vector
	transpose func(t *gemmTile)        // up to a vector of rows become columns
	copy, add [3]func(t *gemmTile)     // copy[v]: rows of v vectors
}

// panel is the width of a packed panel in columns.
func (t *gemmTable) panel() int { return 2 * t.lanes }

// vectors is how many vectors hold n columns.
func (t *gemmTable) vectors(n int) int { return (n + t.lanes - 1) / t.lanes }

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

	// A tile takes its k in batches and fetches a row of memory after each.
	first, batch, batches int     // products in the first, in the others; batches
	fetch                 uintptr // the memory
	fetchStep             int     // between its rows
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

// blocked computes a product that is not empty by tiles.
func (c *gemmContext) blocked(a *gemmArgs) {
	b := gemmBlocks{gemmContext: c, gemmArgs: *a, vectors: 2}
	if a.N == 1 && a.M > 1 && a.Ldc == 1 && a.Packed == nil {
		b.gemmArgs = a.flipped()
	}
	a = &b.gemmArgs
	b.ldb = a.Ldb
	row, step := steps(a.Lda, a.TA)
	c.tile.aRow, c.tile.aStep = 4*row, 4*step
	switch wide := c.table.vectors(a.N); {
	case a.Packed != nil:
		b.source = packed
	case a.TB && a.N == 1: // a column that is stored as a row
		b.ldb = 1
	case a.TB && !(a.K == 1 && a.Ldb == 1): // (a row that is stored as a column)
		b.source = turned
	case wide > 2 && a.M <= c.table.rows[4]:
		b.vectors = 4
	case wide == 3 && a.M <= 2*c.table.rows[3]:
		b.vectors = 3
	case a.M >= packRows && a.Ldb >= 3*blockCols && (a.Ldb%c.table.lanes != 0 || a.Ldb%blockCols == 0):
		b.source = copied
	}
	most := blockTiles * c.table.rows[b.vectors]
	for i0, i1 := 0, 0; i0 < a.M; i0 = i1 {
		i1 = i0 + even(a.M-i0, most)
		for j0 := 0; j0 < a.N; j0 += blockCols {
			b.block(i0, i1, j0, min(j0+blockCols, a.N))
		}
	}
	c.tile, c.side = gemmTile{}, gemmTile{} // they must not keep matrices alive
	runtime.KeepAlive(a)
}

// even returns the first of as few as possible, about equal parts of n that
// are not above most.
func even(n, most int) int {
	if n <= most {
		return n
	}
	parts := (n + most - 1) / most
	return (n + parts - 1) / parts
}

// gemmBlocks is a product on its way through the loops.
type gemmBlocks struct {
	*gemmContext
	gemmArgs
	source  int // where kernels read B
	ldb     int // of B where it lies
	vectors int // in a panel
}

const (
	direct = iota // where it lies
	packed        // in gemmArgs.Packed
	copied        // in a panel, from rows
	turned        // in a panel, from columns
)

// block computes rows i0 to i1 and columns j0 to j1 of C.
func (b *gemmBlocks) block(i0, i1, j0, j1 int) {
	t := &b.tile
	to, ldc := at(b.C, i0*b.Ldc+j0), b.Ldc
	aside := b.Acc && b.K > gemmChunk // C must see none but the finished sum
	if aside {
		ldc = blockCols
		to = grow(&b.sums, (i1-i0)*ldc)
	}
	t.cRow = 4 * ldc
	t.add = 0
	if b.Acc && !aside || b.Again {
		t.add = 1
	}
	width := b.vectors * b.table.lanes
	for k0 := b.chunked(i0, i1, j0, j1, to); k0 < b.K; k0 += gemmChunk {
		k1 := min(k0+gemmChunk, b.K)
		for j := j0; j < j1; j += width {
			w := min(width, j1-j)
			b.operandB(j, w, k0, k1)
			if next := j + width; next < j1 {
				b.fetchNext(next, k0)
			} else {
				b.fetchNext(j0, k1)
			}
			b.strip(i0, i1, k0, k1, w, at(to, j-j0))
		}
		t.add = 1
	}
	if aside {
		b.addTo(at(b.C, i0*b.Ldc+j0), to, i1-i0, j1-j0)
	}
}

// operandB lets the kernels read rows k0 to k1 of the w columns from j.
func (b *gemmBlocks) operandB(j, w, k0, k1 int) {
	t := &b.tile
	stored := b.table.vectors(w) * b.table.lanes
	t.bStep = 4 * stored
	switch b.source {
	case packed:
		t.b = unsafe.Pointer(at(b.Packed, j*b.K+k0*stored))
	case copied, turned:
		panel := grow(&b.panel, (k1-k0)*stored)
		b.packPanel(panel, &b.gemmArgs, j, w, k0, k1)
		t.b = unsafe.Pointer(panel)
	default:
		t.bStep = 4 * b.ldb
		t.b = unsafe.Pointer(at(b.B, k0*b.ldb+j))
	}
}

// fetchNext has the tiles fetch the panel of the columns from j, which they
// will read from k on. Small matrices are in the cache anyway.
func (b *gemmBlocks) fetchNext(j, k int) {
	t := &b.tile
	t.fetch, t.fetchStep = uintptr(unsafe.Pointer(t)), 0
	if k >= b.K || b.K*b.N < 8192 || b.source == turned {
		return
	}
	if b.source == packed {
		width := b.vectors * b.table.lanes
		t.fetch = uintptr(unsafe.Pointer(b.Packed)) + uintptr(4*(j*b.K+k*width))
		t.fetchStep = 4 * width
		return
	}
	t.fetch = uintptr(unsafe.Pointer(b.B)) + uintptr(4*(k*b.ldb+j))
	t.fetchStep = 4 * b.ldb
}

// strip computes rows i0 to i1 of a panel of w columns, over one chunk, with
// two heights of tiles if need be.
func (b *gemmBlocks) strip(i0, i1, k0, k1, w int, to *float32) {
	t := &b.tile
	vectors := b.table.vectors(w)
	t.last = w - (vectors-1)*b.table.lanes
	t.k = k1 - k0
	tiles, height, higher := 1, i1-i0, 0
	if most := b.table.rows[vectors]; height > most {
		tiles = (height + most - 1) / most
		height, higher = height/tiles, height%tiles
	}
	t.first, t.batch, t.batches = t.k, t.k, 1
	if t.fetchStep != 0 && tiles < t.k {
		t.batch = tiles // then all tiles together fetch k rows
		t.batches = (t.k + tiles - 1) / tiles
		t.first = t.k - (t.batches-1)*tiles
	}
	t.a = unsafe.Add(unsafe.Pointer(b.A), i0*t.aRow+k0*t.aStep)
	t.c = unsafe.Pointer(to)
	t.tiles = tiles - higher
	t.aNext = height*t.aRow - t.k*t.aStep
	b.table.tile[vectors][height](t)
	if higher > 0 {
		t.a = unsafe.Add(t.a, t.tiles*height*t.aRow)
		t.c = unsafe.Add(t.c, t.tiles*height*t.cRow)
		t.fetch += uintptr(t.tiles * t.batches * t.fetchStep)
		t.tiles = higher
		t.aNext += t.aRow
		b.table.tile[vectors][height+1](t)
	}
}

// chunked computes as many whole chunks as it can several at a time, if that
// is the better way, and returns where they end.
func (b *gemmBlocks) chunked(i0, i1, j0, j1 int, to *float32) int {
	const latency = 8 // additions that have to be under way to keep a core busy
	rows := i1 - i0
	if rows >= len(b.table.chunks) || b.source == turned || rows*b.table.vectors(b.N) >= latency {
		return 0
	}
	group := b.table.chunks[rows] * gemmChunk
	if b.K < group {
		return 0
	}
	t := &b.tile
	t.k = gemmChunk
	end := b.K - b.K%group
	for k := 0; k < end; k += group {
		for panel := j0; panel < j1; panel += b.table.panel() {
			w := min(b.table.panel(), j1-panel)
			b.operandB(panel, w, k, k+gemmChunk)
			first := t.b
			for v := 0; v < w; v += b.table.lanes {
				t.b = unsafe.Add(first, 4*v)
				t.last = min(b.table.lanes, w-v)
				t.a = unsafe.Add(unsafe.Pointer(b.A), i0*t.aRow+k*t.aStep)
				t.c = unsafe.Pointer(at(to, panel-j0+v))
				b.table.chunked[rows](t)
			}
		}
		t.add = 1
	}
	return end
}

// addTo adds sums, which lie in rows of blockCols, to a block of C.
func (b *gemmBlocks) addTo(c, sums *float32, rows, cols int) {
	t := &b.side
	t.k, t.aRow, t.cRow = rows, 4*blockCols, 4*b.Ldc
	for j := 0; j < cols; j += b.table.panel() {
		w := min(b.table.panel(), cols-j)
		vectors := b.table.vectors(w)
		t.a, t.c = unsafe.Pointer(at(sums, j)), unsafe.Pointer(at(c, j))
		t.last = w - (vectors-1)*b.table.lanes
		b.table.add[vectors](t)
	}
}
