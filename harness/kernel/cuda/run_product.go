package cuda

import (
	"fmt"

	"pushdown/harness/kernel"
)

// What a product does to the previous contents of its result. matmul.cu uses the same
// numbers.
const (
	productSets      = iota // overwrites them with the product
	productAdds             // adds the finished product to them
	productContinues        // adds the chunks to them, one after the other
	productWithBias         // overwrites them with product + bias
	productChunks           // stores each chunk in scratch memory, for matmuljoin
)

// A product uses the large tile if its result has at least largeProduct rows and columns
// and its grid would have at least largeBlocks blocks, one for each tile of each chunk.
// With fewer blocks most of a GPU would be idle. The small tile gives more blocks.
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
			panic("cuda: matmul: a product with Reduce that adds into its result (I[2] = 1) has a frame with Continues, want I[2] = 0")
		}
		if how = productContinues; inner == 0 {
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
	chunks := ceilDiv(k, kernel.Chunk)
	tile := &tiles[1]
	if blocks := ceilDiv(m, tile.rows) * ceilDiv(n, tile.cols) * max(chunks, 1); rows < a.dev.large || cols < a.dev.large || blocks < a.dev.blocks {
		tile = &tiles[0]
	}
	grid := [3]uint32{ceilDiv(m, tile.rows), ceilDiv(n, tile.cols), 1}
	block := [3]uint32{tile.threads, 1, 1}
	long, short := [...]Pointer{c, x, y, bias}, [...]uint32{m, n, k, ar, ak, bk, bc, ldc, how}
	if chunks <= 1 || grid[0]*grid[1] >= a.dev.few || rows*cols > maxChunkWords/int(chunks) {
		a.dev.launch(s.fn[tile.kernel], grid, block, long[:], short[:])
		return
	}
	// One launch computes the chunks in parallel, and a second one adds them. The
	// result has the same bits as that of a single launch.
	part := a.dev.chunkMemory(rows * cols * int(chunks))
	long[0], short[8], grid[2] = part, productChunks, chunks
	a.dev.launch(s.fn[tile.kernel], grid, block, long[:], short[:])
	grid, block = plane(m, n, planeSize)
	a.dev.launch(s.fn[joinKernel], grid, block, []Pointer{c, part, bias}, []uint32{m, n, chunks, ldc, how})
}

// tiles are the small and the large tile of matmul.cu.
var tiles = [...]struct {
	kernel              int // index in the routine's kernels
	rows, cols, threads uint32
}{{0, 16, 16, 64}, {1, 128, 64, 128}}

const (
	joinKernel    = 2       // index in the routine's kernels
	fewBlocks     = 256     // with fewer blocks in the grid, chunks are computed in parallel
	maxChunkWords = 1 << 26 // largest number of words for chunk sums
)

// chunkMemory returns memory for chunk sums, of at least the given size in words. It
// reallocates the memory if the present one is too small.
func (d *Device) chunkMemory(words int) Pointer {
	if words <= d.chunkWords {
		return d.chunks
	}
	words = max(words, 1<<16)
	d.must(d.drv.Sync()) // launched kernels can still read the old memory
	if d.chunkWords > 0 {
		d.must(d.drv.Free(d.chunks))
		d.chunkWords = 0
	}
	p, err := d.drv.Alloc(words)
	if err != nil {
		err = fmt.Errorf("memory for %d words of sums of chunks: %w", words, err)
	}
	d.must(err)
	d.chunks, d.chunkWords = p, words
	d.generation++
	return p
}
