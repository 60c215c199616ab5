package simd

import "unsafe"

// gemmTable is what one instruction set has for products; lanes is 0 where it
// has nothing and gemmGeneric runs. The kernels are described in _asm/gemm.
type gemmTable struct {
	Lanes     int                      // float32 in a vector
	lowest    int                      // the lowest tile of two vectors that can copy B to a panel
	Rows      [5]int                   // rows[v]: the highest tile of v vectors
	Tile      [5][15]func(t *GemmTile) // tile[v][m]: m rows of v vectors
	chunks    [5]int                   // chunks[m]: chunks that chunked[m] takes at a time
	chunked   [5]func(t *GemmTile)     // chunked[m]: m rows of one vector
	transpose func(t *GemmTile)        // up to a vector of rows become columns
	copy, add [3]func(t *GemmTile)     // copy[v]: rows of v vectors
}

// panel is the width of a packed panel in columns.
func (t *gemmTable) panel() int { return 2 * t.Lanes }

// Vectors is how many vectors hold n columns.
func (t *gemmTable) Vectors(n int) int { return (n + t.Lanes - 1) / t.Lanes }

// GemmTile is the argument block of a kernel. Steps are in bytes. The
// generator in _asm/gemm knows the order of the fields.
type GemmTile struct {
	A, B, C unsafe.Pointer
	K       int // products in each sum
	Tiles   int // tiles below each other
	AStep   int // in A, between k
	ARow    int // in A, between rows
	aNext   int // in A, from behind the last k of a tile to the next tile
	BStep   int // in B, between k
	CRow    int // in C, between rows
	Last    int // columns in the last vector
	Add     int // 0: store, 1: add to C

	panel unsafe.Pointer // where a tile in tileCopy leaves B
	Mode  int            // how B is read

	// A tile takes its k in batches and fetches some memory after each.
	First, batch, Batches int       // products in the first, in the others; batches
	pairs                 int       // pairs of cache lines fetched after a batch
	fetch                 gemmFetch // from here
	fetchNext             gemmFetch // and then from here
	fetchC                uintptr   // scratch of the kernel
	left                  int       // the same
}

// Modes of a tile.
const (
	tilePlain  = iota // B has whole vectors
	TileMasked        // the last vector has only the columns that exist
	tileCopy          // as tilePlain, but the first tile leaves B in a panel for the others
)

// gemmFetch is memory that is wanted soon: some rows of it, each of whole
// pairs of cache lines, pair after pair.
type gemmFetch struct {
	at    uintptr
	step  int // to the same pair of the next row
	left  int // rows left
	rows  int
	skip  int // from behind the last row to the next pair of the first one
	times int // pairs left in a row
}

const fetchPair = 2 * CacheLine

// fetchRows describes rows of n elements.
func fetchRows(p *float32, rows, n, ld int) gemmFetch {
	if rows <= 0 || n <= 0 {
		return gemmFetch{}
	}
	at := uintptr(unsafe.Pointer(p))
	pairs := (4*n + fetchPair - 1) / fetchPair
	if rows == 1 { // its pairs are rows then
		return gemmFetch{at, fetchPair, pairs, pairs, 0, 1}
	}
	// Where a row straddles lines, the first of them came with its neighbours.
	return gemmFetch{at + CacheLine - 1, 4 * ld, rows, rows, fetchPair - 4*rows*ld, pairs}
}

// setFetch divides the fetching of x and then y among the given number of tiles.
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
