package simd

import (
	"math"
	"runtime"
	"unsafe"
)

// This file divides a product into blocks for the assembly. A kernel keeps a tile of C
// in registers and runs over one chunk of K. A panel is a block of columns that is as
// wide as a tile. The loops are
//
//	for blocks of rows and of columns {     // of C: fit the second cache
//		for chunks of K {
//			for panels of columns { // of B: fit the first cache
//				for tiles of rows
//
// The innermost loop is in assembly, because calling a kernel for each tile would take
// longer than the tile itself if K and N are small. Rows are split evenly: with tiles of up to
// 14 rows, 15 rows become tiles of 8 and 7 rows, not of 14 and 1.
//
// A panel of B that only few tiles use is read in place. From packRows rows on, it is not if
// its rows crowd few sets of the first cache. Then, or if many tiles use it, the first tile copies
// the panel while it runs. If B is stored transposed, the panel is packed before the tiles
// run. A is packed only if C has many rows and columns, and A either is stored transposed
// or has rows that all start at the same one or two offsets in a cache line. Fewer columns
// suffice if A is stored transposed and tiles are low, and still fewer if the rows of a tile
// start in the same set of the first cache, which then cannot hold them all. Otherwise A is
// read in place.
//
// While the tiles of a panel run, they prefetch the data needed next, a few cache lines
// at a time: the next panel of B, a share of the next block of A, and the rows of C.
// Loading a cache line that was not prefetched takes as long as a hundred FMAs.
//
// These loops are inefficient for some shapes, which are handled differently. A small
// product runs its tiles directly. A product with few rows or few k runs along the rows of B,
// as gemm_along.go describes. One column is computed as one row of the transposed
// product. If a product has so few outputs that the latency of the additions dominates,
// several chunks are computed at the same time.

const (
	blockRows = 16      // rows in a block for each register of sums in a tile, if K is neither small nor large
	oneBlock  = 168     // the same at most if C has one block of columns and K is large: A is read once, and its next rows need room, too
	packCols  = 64      // with more columns of C, packing A pays if a tile reads lines of A in the same set for each k
	packOver  = 8       // with more panels of C, packing A pays if it is stored transposed and a tile uses only a part of each line
	ways      = 8       // lines in a set of the first cache of many processors; only tiles of AVX-512 have more rows
	wayFloats = 1 << 10 // elements between addresses of the same set
	packRows  = 56      // from this many rows of C on, packing A pays, and copying B if its rows are crowded
	copyTiles = 16      // from this many tiles of rows on, copying B pays in any case
	Crowded   = 1 << 8  // rows that are a multiple of this many elements apart share few sets of the first cache
	BlockCols = 256     // maximum number of columns in a block, which consists of whole panels
	nearRows  = 1 << 18 // elements of A that fit in the L2 cache together with parts of B and C
	fetchFrom = 1 << 18 // with more elements in all three matrices, data is prefetched
	fetchFew  = 3 << 20 // the same if B is packed and read once, from its start to its end: processors prefetch that themselves
)

// flipped returns the transposed product, C' = op(B)' op(A)'. It is used if C is one
// column, because the row C' fills vectors and the rows of C do not.
func (a *GemmArgs) flipped() GemmArgs {
	f := *a
	f.M, f.N = a.N, a.M
	f.A, f.Lda, f.TA = a.B, a.Ldb, !a.TB
	f.B, f.Ldb, f.TB = a.A, a.Lda, !a.TA
	return f
}

// blocked computes a nonempty product by tiles.
func (c *gemmContext) blocked(a *GemmArgs) {
	b := gemmBlocks{gemmContext: c, GemmArgs: *a, vectors: c.Table.wide}
	if a.N == 1 && a.M > 1 && a.Ldc == 1 && a.Packed == nil {
		b.GemmArgs = a.flipped()
	}
	a = &b.GemmArgs
	b.ldb = a.Ldb
	row, step := steps(a.Lda, a.TA)
	c.tile.ARow, c.tile.AStep = 4*row, 4*step
	from := fetchFrom
	if a.Packed != nil && a.M <= c.Table.Rows[b.vectors] {
		from = fetchFew
	}
	b.fetches = a.M*a.K+a.K*a.N+a.M*a.N > from
	if b.isAlong() {
		b.runAlong()
		runtime.KeepAlive(a)
		return
	}
	needed := c.Table.Vectors(a.N)
	// A tile of two vectors may have room for all rows if one of three has not.
	if needed <= 2 || a.Packed == nil && c.Table.Rows[b.vectors] < a.M && a.M <= c.Table.Rows[2] {
		b.vectors = 2
	}
	switch {
	case a.Packed != nil:
		b.source = packed
	case a.TB && a.N == 1: // a column, stored as a row
		b.ldb = 1
	case a.TB && !(a.K == 1 && a.Ldb == 1): // a row stored as a column is excluded
		b.source = transposed
	case needed > 2 && a.M <= c.Table.Rows[4]:
		b.vectors = 4
	case needed > 2 && !b.fetches && c.Table.evener(a.M), needed == 3 && a.M <= 2*c.Table.Rows[3]:
		b.vectors = 3
	case a.M >= copyTiles*c.Table.Rows[b.vectors], a.M >= packRows && a.Ldb%Crowded == 0:
		b.source = copied
	}
	most := blockRows * b.vectors * c.Table.Rows[b.vectors]
	switch {
	case most*a.K > nearRows:
		most -= most / 4 // leave room for the rows of several chunks
		if a.N <= BlockCols && b.source != transposed {
			most = min(most, oneBlock)
		}
	case a.K <= GemmChunk:
		most = max(most, nearRows/4/a.K) // C is written once, so a higher block only saves reading B
	}
	most -= most % c.Table.Rows[b.vectors]
	width := b.vectors * c.Table.Lanes
	high := c.Table.Rows[b.vectors] > ways
	over := math.MaxInt // with more columns, packing A pays
	switch {
	case a.TA && !high: // a tile uses a part of each line of A
		over = packOver * width
	case !a.TA && high && a.Lda%wayFloats == 0: // its rows start in the same set
		over = packCols
	case a.TA || a.Lda%8 == 0:
		over = 2 * BlockCols
	}
	b.packA = b.vectors == c.Table.wide && a.M >= packRows && a.N > over
	b.cols = BlockCols / width * width
	for i0, i1 := 0, 0; i0 < a.M; i0 = i1 {
		i1 = i0 + c.Table.even(a.M-i0, most, b.vectors)
		b.next = i1 + c.Table.even(a.M-i1, most, b.vectors)
		for b.j0 = 0; b.j0 < a.N; b.j0 = b.j1 {
			b.j1 = min(b.j0+b.cols, a.N)
			b.block(i0, i1)
		}
	}
	c.tile, c.side = GemmTile{}, GemmTile{} // so that the garbage collector can free the matrices
	runtime.KeepAlive(a)
}

// evener reports whether tiles of three vectors suit the given number of rows better than
// tiles of two vectors, which can have more rows. They do so in two cases: one tile of
// three vectors has room for all rows, which fill more than half of it; or two tiles of
// three vectors have room for all rows, and one tile of two vectors has not. If a panel has
// three vectors anyway, the answer changes nothing.
func (t *gemmTable) evener(rows int) bool {
	return rows > t.Rows[3]/2 && rows <= t.Rows[3] || rows > t.Rows[2] && rows <= 2*t.Rows[3]
}

// even returns the number of rows of the next block of a product with n rows left. All blocks
// have nearly the same number of rows, at most the parameter most, which is a multiple of the
// largest height of a tile. All blocks but the last consist of tiles of that height.
func (t *gemmTable) even(n, most, vectors int) int {
	if n <= most {
		return n
	}
	parts, tile := (n+most-1)/most, t.Rows[vectors]
	return ((n+parts-1)/parts + tile - 1) / tile * tile
}

// gemmBlocks is the state of a product while the loops run.
type gemmBlocks struct {
	*gemmContext
	GemmArgs
	source  int  // where kernels read B
	ldb     int  // leading dimension of B if it is read in place
	vectors int  // maximum number of vectors in a panel
	cols    int  // columns in a block
	j0, j1  int  // columns of the block being computed
	fetches bool // the matrices may be out of the caches
	packA   bool // A is read from gemmContext.rows
	rows    *float32
	next    int // end of the rows of the next block
}

const (
	direct     = iota // in place
	packed            // in GemmArgs.Packed
	copied            // in a panel copied from rows
	transposed        // in a panel packed from columns
)

// block computes rows i0 to i1-1 and columns b.j0 to b.j1-1 of C.
func (b *gemmBlocks) block(i0, i1 int) {
	t := &b.tile
	c := At(b.C, i0*b.Ldc+b.j0)
	sums, ld := c, b.Ldc
	aside := b.Acc && b.K > GemmChunk // only the finished sum may be added to C
	if aside {
		ld = BlockCols
		sums = Grow(&b.sums, (i1-i0)*ld)
	}
	t.CRow, t.SumsRow = 4*ld, 4*ld
	k0 := b.chunked(i0, i1, sums)
	if aside && k0 == b.K {
		b.addTo(c, sums, ld, i1-i0, b.j1-b.j0)
		return
	}
	t.Add = 0
	for ; k0 < b.K; k0 += GemmChunk {
		k1 := min(k0+GemmChunk, b.K)
		from, to := sums, sums
		if k0 == 0 && !b.Continue {
			from = nil
		}
		if b.Acc && k1 == b.K {
			to, t.CRow, t.Add = c, 4*b.Ldc, 1
		}
		b.chunk(i0, i1, k0, k1, from, to)
	}
}

// chunk computes the sums of the products for k from k0 to k1-1 and adds them to those of the
// earlier chunks, which are at from, unless that is nil. The parameter to is the address of the block
// of C or of sums to which the kernels write.
func (b *gemmBlocks) chunk(i0, i1, k0, k1 int, from, to *float32) {
	if b.packA && b.j0 == 0 {
		b.packRows(i0, i1, k0, k1)
	}
	for j, w := b.j0, 0; j < b.j1; j += w {
		w = b.panelCols(j)
		b.operandB(j, w, k0, k1)
		b.tile.Sums = nil
		if from != nil {
			b.tile.Sums = unsafe.Pointer(At(from, j-b.j0))
		}
		b.strip(i0, i1, k0, k1, j, w, At(to, j-b.j0))
	}
}

// panelCols returns the number of columns of the panel that starts at column j. If the rest of
// the block has one vector more than a panel, the next panel gets two vectors, because a panel
// of one vector is inefficient. The panels of a packed B are fixed.
func (b *gemmBlocks) panelCols(j int) int {
	n := b.j1 - j
	if b.Packed == nil && b.vectors > 2 && b.Table.Vectors(n) == b.vectors+1 {
		return 2 * b.Table.Lanes
	}
	return min(n, b.vectors*b.Table.Lanes)
}

// operandB tells the kernels where to read rows k0 to k1-1 of columns j to j+w-1 of
// op(B). If necessary, it packs them first.
func (b *gemmBlocks) operandB(j, w, k0, k1 int) {
	t := &b.tile
	vectors := b.Table.Vectors(w)
	stored := vectors * b.Table.Lanes
	t.Last = w - (vectors-1)*b.Table.Lanes
	t.Mode = tilePlain
	t.BStep = 4 * stored
	switch {
	case b.source == packed:
		t.B = unsafe.Pointer(At(b.Packed, j*b.K+k0*stored))
		return
	case b.source == transposed:
		panel := Grow(&b.panel, GemmChunk*b.Table.panel())
		b.packPanel(panel, &b.GemmArgs, j, w, k0, k1)
		t.B = unsafe.Pointer(panel)
		return
	case b.source == copied && vectors > 1 && t.Last == b.Table.Lanes:
		t.Mode = tileCopy
		t.panel = unsafe.Pointer(Grow(&b.panel, GemmChunk*b.Table.panel()))
	case t.Last < b.Table.Lanes:
		t.Mode = TileMasked
	}
	t.BStep = 4 * b.ldb
	t.B = unsafe.Pointer(At(b.B, k0*b.ldb+j))
}

// prefetchB returns the memory that operandB will read for the panel at column j and
// the chunk at k.
func (b *gemmBlocks) prefetchB(j, k int) gemmFetch {
	w, n := min(b.vectors*b.Table.Lanes, b.N-j), min(GemmChunk, b.K-k)
	switch b.source {
	case packed:
		stored := b.Table.Vectors(w) * b.Table.Lanes
		return fetchRows(At(b.Packed, j*b.K+k*stored), 1, n*stored, 0)
	case transposed:
		return fetchRows(At(b.B, j*b.Ldb+k), w, n, b.Ldb)
	}
	f := fetchRows(At(b.B, k*b.ldb+j), n, w, b.ldb)
	if n > 1 && j%b.cols == 0 {
		f.at -= CacheLine - 1 // no panel of this block has fetched the lines in which the rows start
		f.times++
	}
	return f
}

// prefetchA returns the memory of rows i0 to i1-1 of A in the chunk that starts at column k.
// It divides this memory into the given number of parts and returns only one of them; the
// parameter part is its index.
func (b *gemmBlocks) prefetchA(i0, i1, k, part, parts int) gemmFetch {
	n := min(GemmChunk, b.K-k)
	if b.TA {
		from, to := n*part/parts, n*(part+1)/parts
		return fetchRows(At(b.A, (k+from)*b.Lda+i0), to-from, i1-i0, b.Lda)
	}
	from, to := i0+(i1-i0)*part/parts, i0+(i1-i0)*(part+1)/parts
	return fetchRows(At(b.A, from*b.Lda+k), to-from, n, b.Lda)
}

// prefetches returns the memory to prefetch while the kernels compute rows i0 to i1-1 of
// the panel at column j, which has w columns, in the chunk at k0. The result x is the part
// of B that is needed next, and y is the part of A that is needed next.
func (b *gemmBlocks) prefetches(i0, i1, j, w, k0 int) (x, y gemmFetch) {
	if !b.fetches {
		return
	}
	j0, j1, k1 := b.j0, b.j1, k0+GemmChunk
	// The next panel of B.
	switch {
	case j+w < j1:
		x = b.prefetchB(j+w, k0)
	case k1 < b.K:
		x = b.prefetchB(j0, k1)
	case j1 < b.N:
		x = b.prefetchB(j1, 0)
	case i1 < b.M:
		x = b.prefetchB(0, 0)
	}
	// The panel's share of the next block of A, unless that block has been read before.
	width := b.vectors * b.Table.Lanes
	part, parts := (j-j0+width-1)/width, (j1-j0+width-1)/width
	switch {
	case k1 < b.K && j0 == 0:
		y = b.prefetchA(i0, i1, k1, part, parts)
	case k1 >= b.K && j1 == b.N && i1 < b.M:
		y = b.prefetchA(i1, b.next, 0, part, parts)
	}
	return x, y
}

// strip computes rows i0 to i1-1 of the panel at column j, which has w columns, over
// one chunk. If the rows cannot be divided evenly among the tiles, the first tiles have
// one row more than the last: the first tile waits for B, which slows a lower tile more.
func (b *gemmBlocks) strip(i0, i1, k0, k1, j, w int, to *float32) {
	t := &b.tile
	vectors := b.Table.Vectors(w)
	t.K = k1 - k0
	tiles, height, higher := b.heights(i1-i0, vectors)
	x, y := b.prefetches(i0, i1, j, w, k0)
	t.setFetch(x, y, tiles)
	t.C = unsafe.Pointer(to)
	t.A = unsafe.Add(unsafe.Pointer(b.A), i0*t.ARow+k0*t.AStep)
	if b.packA {
		t.A = unsafe.Pointer(At(b.rows, b.packedRow(i0, i1, k0)))
	}
	if higher > 0 {
		b.tiles(higher, vectors, height+1)
		t.A = unsafe.Add(t.A, higher*(t.K*t.AStep+t.aNext))
		t.C = unsafe.Add(t.C, higher*(height+1)*t.CRow)
		if t.Sums != nil {
			t.Sums = unsafe.Add(t.Sums, higher*(height+1)*t.SumsRow)
		}
	}
	b.tiles(tiles-higher, vectors, height)
}

// heights divides rows among tiles of the given number of vectors, or of b.vectors if A is
// packed. It returns the
// number of tiles, the number of rows of the last tiles, and how many of the first
// tiles have one row more.
func (b *gemmBlocks) heights(rows, vectors int) (tiles, height, higher int) {
	most := b.Table.Rows[vectors]
	if b.packA {
		most = b.Table.Rows[b.vectors] // packRows has divided the rows for tiles of b.vectors
	}
	tiles = (rows + most - 1) / most
	return tiles, rows / tiles, rows % tiles
}

// tiles computes n tiles, one below the other.
func (b *gemmBlocks) tiles(n, vectors, height int) {
	t := &b.tile
	t.Tiles = n
	t.aNext = height*t.ARow - t.K*t.AStep
	if b.packA {
		t.ARow, t.AStep, t.aNext = 4, 4*height, 0
	}
	b.Table.Tile[vectors][height](t)
}

// chunked computes several whole chunks of k at a time, if this is faster than one chunk
// after the other. It stops when too few chunks are left. It returns the first k that it
// has not computed. The parameter to is the address of the block of sums.
func (b *gemmBlocks) chunked(i0, i1 int, to *float32) int {
	const latency = 8 // additions that must be in flight to keep a core busy
	rows := i1 - i0
	if rows >= len(b.Table.chunks) || b.source == transposed || rows*b.Table.Vectors(b.N) >= latency {
		return 0
	}
	group := b.Table.chunks[rows] * GemmChunk
	if group == 0 || b.K < group {
		return 0
	}
	t := &b.tile
	t.K, t.Add = GemmChunk, 0
	if b.Continue {
		t.Add = 1
	}
	end := b.K - b.K%group
	for k := 0; k < end; k += group {
		for panel, w := b.j0, 0; panel < b.j1; panel += w {
			w = b.panelCols(panel)
			b.operandB(panel, w, k, k+GemmChunk)
			first := t.B
			for v := 0; v < w; v += b.Table.Lanes {
				t.B = unsafe.Add(first, 4*v)
				t.Last = min(b.Table.Lanes, w-v)
				t.A = unsafe.Add(unsafe.Pointer(b.A), i0*t.ARow+k*t.AStep)
				t.C = unsafe.Pointer(At(to, panel-b.j0+v))
				b.Table.chunked[rows](t)
			}
		}
		t.Add = 1
	}
	return end
}

// addTo adds a matrix to a block of C. The parameter sums is the address of the matrix,
// whose rows are ld elements apart.
func (b *gemmBlocks) addTo(c, sums *float32, ld, rows, cols int) {
	t := &b.side
	t.K, t.ARow, t.CRow = rows, 4*ld, 4*b.Ldc
	for j := 0; j < cols; j += b.Table.panel() {
		w := min(b.Table.panel(), cols-j)
		vectors := b.Table.Vectors(w)
		t.A, t.C = unsafe.Pointer(At(sums, j)), unsafe.Pointer(At(c, j))
		t.Last = w - (vectors-1)*b.Table.Lanes
		b.Table.add[vectors](t)
	}
}
