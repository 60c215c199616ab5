package simd

import "unsafe"

// A product with few rows reads each element of B a few times. If B comes from beyond the second
// cache, such a product is as fast as B can be read, and memory is read fastest along rows. The
// tiles of other products run down a chunk of K: they read a few cache lines of each row, and
// rows can be far apart. In the same way, a product with few k is as fast as C can be written.
//
// So the kernels of this file run along the rows of B and C. They compute some values of k at a
// time. The sums, which are not complete before the end of a chunk, stay in the caches
// until then.

const (
	alongRows  = 16      // with more rows of C, tiles that run down a chunk are as fast
	alongTerms = 24      // the same for values of k, if the rows of B are not crowded; ways if they are
	alongCols  = 1 << 11 // columns that are computed at a time
)

// gemmAlong holds the arguments of a kernel that runs along the rows of B. Distances are in bytes.
// The generator in _asm/gemm depends on the order of the fields.
type gemmAlong struct {
	A, B, C     unsafe.Pointer
	From        unsafe.Pointer // sums to which products are added
	K           int            // products in each sum
	N           int            // columns
	AStep, ARow int            // as in GemmTile
	BStep, CRow int
	FromRow     int     // distance in From from row to row
	Resume      int     // 0: sums start at +0, 1: with what is at From
	Add         int     // 0: store, 1: add to C
	at          uintptr // scratch of the kernel
	last        int     // scratch of the kernel
}

// isAlong reports whether runAlong computes the product faster than tiles.
func (b *gemmBlocks) isAlong() bool {
	switch {
	case b.Table.along[1] == nil || b.Packed != nil || b.TB:
		return false
	case b.K <= ways || b.K <= alongTerms && b.Ldb%Crowded != 0:
		return b.N > BlockCols // tiles write fewer columns in one go
	}
	return b.M <= alongRows && b.fetches && b.N > 2*b.Table.panel()
}

// runAlong computes a product along the rows of B, which is read in place. The caller has set
// the distances in A in b.tile. There is a kernel for each number of rows that a tile of two
// vectors can have.
func (b *gemmBlocks) runAlong() {
	tiles, height, higher := b.heights(b.M, 2)
	deep := 32 // values of k at a time
	if height > 6 {
		deep = 64 // panels of higher tiles are narrower: a row is read in shorter pieces
	}
	var partial *float32 // sums of an incomplete chunk
	if b.K > deep {
		partial = Grow(&b.panel, b.M*alongCols)
	}
	aside := b.Acc && b.K > GemmChunk // only the finished sum may be added to C
	s := &b.along
	s.AStep, s.ARow, s.BStep, s.FromRow = b.tile.AStep, b.tile.ARow, 4*b.Ldb, 4*alongCols
	for j := 0; j < b.N; j += alongCols {
		cols := min(alongCols, b.N-j)
		to, ldc := At(b.C, j), b.Ldc
		if aside {
			to, ldc = Grow(&b.sums, b.M*alongCols), alongCols
		}
		for k := 0; k < b.K; k += deep {
			end := min(k+deep, b.K)
			s.K, s.N, s.B = end-k, cols, unsafe.Pointer(At(b.B, k*b.Ldb+j))
			s.Resume = min(k%GemmChunk, 1)
			finish := end%GemmChunk == 0 || end == b.K // the chunk
			s.Add = 0
			if finish && (k >= GemmChunk || b.Acc && !aside || b.Continue) {
				s.Add = 1
			}
			for i, tile, h := 0, 0, 0; tile < tiles; i, tile = i+h, tile+1 {
				h = height
				if tile < higher {
					h++
				}
				s.A = unsafe.Add(unsafe.Pointer(b.A), i*s.ARow+k*s.AStep)
				if partial != nil {
					s.From = unsafe.Pointer(At(partial, i*alongCols))
				}
				s.C, s.CRow = s.From, s.FromRow
				if finish {
					s.C, s.CRow = unsafe.Pointer(At(to, i*ldc)), 4*ldc
				}
				b.Table.along[h](s)
			}
		}
		if aside {
			b.addTo(At(b.C, j), to, ldc, b.M, cols)
		}
	}
	*s, b.side = gemmAlong{}, GemmTile{} // so that the garbage collector can free the matrices
}
