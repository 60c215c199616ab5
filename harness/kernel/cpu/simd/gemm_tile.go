package simd

import "unsafe"

// gemmTable holds the matrix product kernels of one instruction set, which _asm/gemm and
// _asm/arm64/gemm describe. If the instruction set has none, Lanes is 0 and gemmGeneric
// computes the products.
type gemmTable struct {
	Lanes     int                      // float32 in a vector
	wide      int                      // vectors in a panel of B
	lowest    int                      // least number of rows of a tile of 2 to wide vectors that can copy B to a panel
	Rows      [5]int                   // Rows[v]: the largest number of rows of a tile with v vectors
	Tile      [5][15]func(t *GemmTile) // Tile[v][m]: m rows of v vectors
	chunks    [5]int                   // chunks[m]: number of chunks that chunked[m] computes at a time; 0: not available
	chunked   [5]func(t *GemmTile)     // chunked[m]: m rows of one vector
	along     [15]func(s *gemmAlong)   // along[m]: m rows, along the rows of B
	transpose func(t *GemmTile)        // turns up to Lanes rows into columns
	copy      [4]func(t *GemmTile)     // copy[v]: copies rows of v vectors
	add       [4]func(t *GemmTile)     // add[v]: adds them; only with chunked or along
}

// panel returns the width of a packed panel in columns.
func (t *gemmTable) panel() int { return t.wide * t.Lanes }

// Vectors returns the number of vectors that hold n columns.
func (t *gemmTable) Vectors(n int) int { return (n + t.Lanes - 1) / t.Lanes }

// GemmTile holds the arguments of a kernel of the matrix product. Distances are in
// bytes. The generators depend on the order of the fields.
type GemmTile struct {
	A, B, C unsafe.Pointer
	K       int // products in each sum
	Tiles   int // tiles, one below the other
	AStep   int // distance in A from one k to the next
	ARow    int // distance in A from row to row
	aNext   int // distance in A from the end of a tile's k to the start of the next tile
	BStep   int // distance in B from one k to the next
	CRow    int // distance in C from row to row
	Last    int // columns in the last vector
	Add     int // 0: store, 1: add to C

	Sums    unsafe.Pointer // sums of earlier chunks, or nil; the kernel adds those of this chunk to them
	SumsRow int            // distance in Sums from row to row
	sumsAt  uintptr        // scratch of the kernel

	panel unsafe.Pointer // where the first tile stores B in mode tileCopy
	Mode  int            // how B is read

	// A kernel divides the K products of a tile into batches and prefetches some memory
	// after each batch.
	First, batch, Batches int       // products in the first batch and in the others; number of batches
	pairs                 int       // pairs of cache lines prefetched after a batch
	fetch                 gemmFetch // memory to prefetch first
	fetchNext             gemmFetch // memory to prefetch next
	fetchC                uintptr   // scratch of the kernel
	left                  int       // scratch of the kernel
}

// Modes of a tile.
const (
	tilePlain  = iota // B has whole vectors
	TileMasked        // the last vector has only the columns that exist
	tileCopy          // like tilePlain, but the first tile stores B in a panel for the others
)

// gemmFetch describes memory to prefetch: some rows, each a number of pairs of cache
// lines. It is prefetched in columns: the first pair of every row, then the second pair
// of every row, and so on.
type gemmFetch struct {
	at    uintptr
	step  int // bytes to the same pair in the next row
	left  int // rows left in this column of pairs
	rows  int
	skip  int // bytes from behind the last row to the next pair of the first row
	times int // columns of pairs left
}

const fetchPair = 2 * CacheLine

// fetchRows describes the memory of a matrix with rows of n elements, for a prefetch.
func fetchRows(p *float32, rows, n, ld int) gemmFetch {
	if rows <= 0 || n <= 0 {
		return gemmFetch{}
	}
	at := uintptr(unsafe.Pointer(p))
	pairs := (4*n + fetchPair - 1) / fetchPair
	if rows == 1 { // each pair counts as a row
		return gemmFetch{at, fetchPair, pairs, pairs, 0, 1}
	}
	// If a row starts inside a cache line, that line was fetched with the memory before
	// it. The prefetch therefore starts at the next line.
	return gemmFetch{at + CacheLine - 1, 4 * ld, rows, rows, fetchPair - 4*rows*ld, pairs}
}

// setFetch prepares the prefetch of x and then of y. Each of the given number of tiles
// prefetches an equal share of the whole.
func (t *GemmTile) setFetch(x, y gemmFetch, tiles int) {
	n := max(1, min(16, t.K/8))
	t.batch = (t.K + n - 1) / n
	t.Batches = (t.K + t.batch - 1) / t.batch
	t.First = t.K - (t.Batches-1)*t.batch
	pairs, batches := x.rows*x.times+y.rows*y.times, tiles*t.Batches
	t.pairs = (pairs + batches - 1) / batches
	if t.pairs == 0 {
		return
	}
	if x.rows == 0 {
		x, y = y, x
	}
	t.fetch, t.fetchNext = x, y
}
