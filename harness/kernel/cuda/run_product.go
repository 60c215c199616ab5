package cuda

import (
	"fmt"

	"pushdown/harness/kernel"
)

// How a product meets what its result holds; matmul.cu has the numbers.
const (
	productSets = iota
	productAdds
	productGoesOn
	productWithBias
	productApart
)

// largeProduct is the number of rows and columns from which a product takes the
// large tile, largeBlocks how many blocks it must have then: fewer leave most of a
// GPU idle, which the small tile does not.
const (
	largeProduct = 64
	largeBlocks  = 96
)

func runMatMul(a *arena, s *step, f *kernel.Frame) {
	in := s.in
	rows, cols := in.Extents(f)
	inner := in.Inner(f)
	how := uint32(productSets)
	switch {
	case in.Op == kernel.Affine:
		how = productWithBias
	case in.Reduce && f.Continues:
		if in.I[2] != 0 {
			panic("cuda: a product that adds into its result cannot go on from frame to frame")
		}
		if how = productGoesOn; inner == 0 {
			return
		}
	case in.I[2] != 0:
		how = productAdds
	}
	if rows == 0 || cols == 0 {
		return
	}
	c, ldc := a.arg(in, f, 0)
	x, lda := a.arg(in, f, 1)
	y, ldb := a.arg(in, f, 2)
	bias := Pointer(0)
	if in.Op == kernel.Affine {
		bias, _ = a.arg(in, f, 3)
	}
	ar, ak, bk, bc := lda, uint32(1), ldb, uint32(1)
	if in.I[0] == 1 {
		ar, ak = 1, lda
	}
	if in.I[1] == 1 {
		bk, bc = 1, ldb
	}
	m, n, k := extent(rows), extent(cols), extent(inner)
	chunks := parts(k, kernel.Chunk)
	tile := &tiles[1]
	if blocks := parts(m, tile.rows) * parts(n, tile.cols) * max(chunks, 1); rows < a.dev.large || cols < a.dev.large || blocks < a.dev.blocks {
		tile = &tiles[0]
	}
	grid := [3]uint32{parts(m, tile.rows), parts(n, tile.cols), 1}
	block := [3]uint32{tile.threads, 1, 1}
	long, short := [...]Pointer{c, x, y, bias}, [...]uint32{m, n, k, ar, ak, bk, bc, ldc, how}
	if chunks <= 1 || grid[0]*grid[1] >= a.dev.few || rows*cols > mostApart/int(chunks) {
		a.dev.launch(s.fn[tile.kernel], grid, block, long[:], short[:])
		return
	}
	// The chunks apart, then their sums: the bits are the same.
	part := a.dev.apart(rows * cols * int(chunks))
	long[0], short[8], grid[2] = part, productApart, chunks
	a.dev.launch(s.fn[tile.kernel], grid, block, long[:], short[:])
	grid, block = plane(m, n, planeSize)
	a.dev.launch(s.fn[joinKernel], grid, block, []Pointer{c, part, bias}, []uint32{m, n, chunks, ldc, how})
}

// tiles are those of matmul.cu.
var tiles = [...]struct {
	kernel              int // of the routine
	rows, cols, threads uint32
}{{0, 16, 16, 64}, {1, 128, 64, 128}}

const (
	joinKernel = 2       // of the routine
	fewBlocks  = 256     // that leave a GPU idle: below, chunks are computed apart
	mostApart  = 1 << 26 // words of chunks that are
)

// apart returns memory for sums of chunks, which grows as it must.
func (d *Device) apart(words int) Pointer {
	if words <= d.room {
		return d.parts
	}
	words = max(words, 1<<16)
	d.must(d.drv.Sync()) // what is under way may read the old one
	if d.room > 0 {
		d.must(d.drv.Free(d.parts))
		d.room = 0
	}
	p, err := d.drv.Alloc(words)
	if err != nil {
		err = fmt.Errorf("memory for %d words of sums of chunks: %w", words, err)
	}
	d.must(err)
	d.parts, d.room = p, words
	d.grown++
	return p
}
