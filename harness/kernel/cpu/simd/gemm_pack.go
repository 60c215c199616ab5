package simd

import "unsafe"

// A matrix that many products use, such as the weights of a recurrent cell, is packed
// once. The packed form consists of panels, which have all K rows and as many columns
// as PackedPanel returns. The last panel has only the vectors that its columns need.
// The panel that starts at column j begins at element j*K.

// PackedLen returns the number of elements of the packed form of op(B), the right
// factor of the product.
func (c *gemmContext) PackedLen(a *GemmArgs) int {
	if c.Table.Lanes == 0 {
		return a.N * a.K
	}
	return c.Table.Vectors(a.N) * c.Table.Lanes * a.K
}

// PackedPanel returns the width of a panel in columns, or 1 without assembly. If B is
// packed, a part of it must start at a multiple of this width.
func (c *gemmContext) PackedPanel() int { return max(1, c.Table.panel()) }

// pack writes op(B), the right factor of the product, to dst, in the layout of
// GemmArgs.Packed. The layout depends only on the instruction set, so the contexts of
// all threads can share it.
func (c *gemmContext) pack(dst *float32, a *GemmArgs) {
	if a.N == 0 || a.K == 0 {
		return
	}
	if c.Table.Lanes == 0 {
		row, col := steps(a.Ldb, a.TB)
		from, to := extent(a.B, a.K, a.N, row, col), unsafe.Slice(dst, a.N*a.K)
		for j := range a.N {
			for k := range a.K {
				to[j*a.K+k] = from[k*row+j*col]
			}
		}
		return
	}
	c.packPart(dst, a, 0, a.N)
}

// packPart packs columns j0 to j1-1, which must be whole panels. It packs a few rows of
// all panels, then the next rows, so that it reads adjacent memory.
func (c *gemmContext) packPart(dst *float32, a *GemmArgs, j0, j1 int) {
	width, deep := c.Table.panel(), 16
	if a.TB {
		deep = a.K
	}
	for k0 := 0; k0 < a.K; k0 += deep {
		k1 := min(k0+deep, a.K)
		for j := j0; j < j1; j += width {
			w := min(width, j1-j)
			c.packPanel(At(dst, j*a.K+k0*c.Table.Vectors(w)*c.Table.Lanes), a, j, w, k0, k1)
		}
	}
	c.side = GemmTile{}
}

// packPanel packs rows k0 to k1-1 of columns j to j+w-1 of op(B).
func (c *gemmContext) packPanel(dst *float32, a *GemmArgs, j, w, k0, k1 int) {
	lanes := c.Table.Lanes
	vectors := c.Table.Vectors(w)
	t := &c.side
	t.K, t.ARow, t.CRow = k1-k0, 4*a.Ldb, 4*vectors*lanes
	if !a.TB {
		t.A, t.C = unsafe.Pointer(At(a.B, k0*a.Ldb+j)), unsafe.Pointer(dst)
		t.Last = w - (vectors-1)*lanes
		c.Table.copy[vectors](t)
		return
	}
	for v := 0; v < w; v += lanes {
		t.A, t.C = unsafe.Pointer(At(a.B, (j+v)*a.Ldb+k0)), unsafe.Pointer(At(dst, v))
		t.Tiles = min(lanes, w-v)
		c.Table.transpose(t)
	}
}

// packRows packs rows i0 to i1-1 of columns k0 to k1-1 of op(A), tile by tile. For each
// k, the elements of all rows of a tile are adjacent.
func (b *gemmBlocks) packRows(i0, i1, k0, k1 int) {
	size := (i1 - i0) * min(b.K, GemmChunk)
	if b.N > b.cols { // the next blocks of columns use the packed rows too
		size = (i1 - i0) * b.K
	}
	b.rows = Grow(&b.rowPanels, size+b.Table.Lanes) // kernels store whole vectors
	t, lanes := &b.side, b.Table.Lanes
	t.K = k1 - k0
	tiles, height, higher := b.heights(i1-i0, b.vectors)
	to := At(b.rows, b.packedRow(i0, i1, k0))
	for i := range tiles {
		h := height
		if i < higher {
			h++
		}
		t.CRow, t.ARow = 4*h, 4*b.Lda
		// Start with the last rows of the tile: the kernels store whole vectors, and so
		// overwrite the first rows of the next k if fewer rows than lanes are left.
		for v := (h - 1) / lanes * lanes; v >= 0; v -= lanes {
			t.C = unsafe.Pointer(At(to, v))
			if b.TA {
				t.A, t.Last = unsafe.Pointer(At(b.A, k0*b.Lda+i0+v)), min(lanes, h-v)
				b.Table.copy[1](t)
			} else {
				t.A, t.Tiles = unsafe.Pointer(At(b.A, (i0+v)*b.Lda+k0)), min(lanes, h-v)
				b.Table.transpose(t)
			}
		}
		i0, to = i0+h, At(to, h*t.K)
	}
}

// packedRow returns the index in b.rows at which rows i0 to i1-1 of the chunk at k0
// begin.
func (b *gemmBlocks) packedRow(i0, i1, k0 int) int {
	if b.N <= b.cols {
		return 0
	}
	return k0 * (i1 - i0)
}

// CacheLine is the size of a cache line in bytes.
const CacheLine = 64

// Grow returns n elements of buf, aligned to a cache line. If buf is too small, it
// allocates a new buffer and does not keep the contents of the old one.
func Grow(buf *[]float32, n int) *float32 {
	if len(*buf) < n {
		raw := make([]float32, n+CacheLine/4)
		skip := 0
		for uintptr(unsafe.Pointer(&raw[skip]))%CacheLine != 0 {
			skip++
		}
		*buf = raw[skip : skip+n]
	}
	return unsafe.SliceData(*buf)
}
